import { createHash } from "node:crypto";
import { buildUrl, findBase, normalisePath } from "~/outside/mail-provider/call/address.server";
import type { FrozenCall } from "~/outside/mail-provider/call/client.server";
import { filterHeaders } from "~/outside/mail-provider/call/headers.server";
import {
  chooseWireType,
  encodeWireBody,
  FORM_TYPE,
  parseWireBody,
  type WireType,
} from "~/outside/mail-provider/call/wire.server";
import { findHome } from "~/outside/mail-provider/home-country";
import { addSendTag } from "~/pieces/send-tag";
import { env } from "~/platform/env.server";
import { NOTHING_DONE } from "~/platform/http/messages";
import { parseRecord } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { type CallClass, classifyCall } from "./live-mail-rule";
import { unifyMailFields } from "./mail-fields";
import { formatUnexpectedLiveMail } from "./messages";
import type { SendInput } from "./send-request.schema.server";

/** A call that may be sent. */
export interface PreparedCall {
  class: CallClass;
  /** Real mail: it costs credits and cannot be called back. */
  live: boolean;
  method: string;
  url: string;
  /** The base of the URL, without a trailing slash. */
  baseUrl: string;
  baseLabel: string;
  /** The headers that are sent, without the content type. */
  headers: Record<string, string>;
  /** The caller's own headers that pass, content type included. */
  passedHeaders: Record<string, string>;
  /** The paper it is printed on: US sizes, or those of the rest of the world. */
  home: "US" | "GB";
  /** The body's fields, or undefined without a body. */
  body: unknown;
  wireType: WireType;
}

/** Marks live mail, so that the provider mails it once and its list can be searched for it. */
export interface Stamp {
  idempotencyKey: string;
  /** Put before the piece's own tags. */
  tag: string;
}

const BODY_METHODS = new Set(["POST", "PUT", "PATCH"]);

/**
 * Turns a caller's request into the call that is sent, or refuses it. Calls nothing outside.
 */
export function prepareCall(input: SendInput): Outcome<PreparedCall> {
  const base = findBase(input.baseUrl);
  if (!base.ok) return base;
  const path = normalisePath(input.path);
  if (!path.ok) return path;
  const passed = filterHeaders(input.headers);
  if (!passed.ok) return passed;
  const { "content-type": contentType, ...headers } = passed.value;
  const carriesBody = BODY_METHODS.has(input.method) && input.body !== undefined && input.body !== null;
  const type = chooseWireType(carriesBody ? contentType : undefined);
  if (!type.ok) return type;
  const given = carriesBody ? parseWireBody(input.body, type.value) : succeed(undefined);
  if (!given.ok) return given;

  const classified = classifyCall(
    { method: input.method, path: path.value, query: input.query, body: given.value },
    env().allowedPaths,
  );
  if (!classified.ok) {
    return fail(classified.forbidden ? "forbidden" : "bad_input", `${classified.reason} ${NOTHING_DONE}`);
  }
  const call = classified.call;
  const url = buildUrl(base.value, call.path, input.query);
  if (!url.ok) return url;

  const live = call.kind === "mail" && !call.test;
  if (live && input.expectLive === false) {
    return fail("bad_input", formatUnexpectedLiveMail(call.mailType));
  }
  return succeed({
    class: call,
    live,
    method: input.method,
    url: url.value,
    baseUrl: base.value.url,
    baseLabel: base.value.label,
    home: findHome(base.value),
    headers,
    passedHeaders: passed.value,
    body:
      call.kind === "mail" || call.kind === "sample"
        ? { ...unifyMailFields(parseRecord(given.value)), test: call.test }
        : given.value,
    wireType: call.kind === "cancel" ? FORM_TYPE : type.value,
  });
}

/** The exact bytes of a call. Live mail has a stamp. */
export function freezeCall(call: PreparedCall, stamp: Stamp | null): FrozenCall {
  const body = encodeWireBody(stamp === null ? call.body : stampBody(call.body, stamp), call.wireType);
  return {
    method: call.method,
    url: call.url,
    headers: {
      ...call.headers,
      ...(stamp === null ? {} : { "x-idempotency-key": stamp.idempotencyKey }),
      ...(body === null ? {} : { "content-type": call.wireType }),
    },
    body,
  };
}

/** SHA-256 of the request and its payer. */
export function hashCall(call: PreparedCall, payerId: string): string {
  const parts = [payerId, call.method, call.url, call.headers, call.wireType, call.body];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function stampBody(body: unknown, { idempotencyKey, tag }: Stamp): object {
  const fields = parseRecord(body);
  return { ...fields, idempotency_key: idempotencyKey, tags: addSendTag(String(fields.tags ?? ""), tag) };
}
