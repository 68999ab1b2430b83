import { findHome } from "~/outside/mail-provider/account-home";
import { buildUrl, findBase, normalisePath } from "~/outside/mail-provider/call/address.server";
import {
  chooseWireType,
  FORM_TYPE,
  filterHeaders,
  parseWireBody,
} from "~/outside/mail-provider/call/wire.server";
import { type MailCall, unifyMailFields } from "~/pieces/send/mail-call.server";
import { env } from "~/platform/env.server";
import { parseRecord } from "~/platform/json-value";
import { fail, NOTHING_DONE, succeed } from "~/platform/outcome";
import { classifyCall } from "./live-mail-rule";
import type { SendInput } from "./send-request.schema.server";

export type PreparedCall = Extract<ReturnType<typeof prepareCall>, { ok: true }>["value"];

const BODY_METHODS = new Set(["POST", "PUT", "PATCH"]);

/** Converts a caller's request to the call that is sent, or refuses it. Makes no outside call. */
export function prepareCall(input: SendInput) {
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
  const body = carriesBody ? parseWireBody(input.body, type.value) : succeed(undefined);
  if (!body.ok) return body;

  const classified = classifyCall(
    { method: input.method, path: path.value, query: input.query, body: body.value },
    env().allowedPaths,
  );
  if (!classified.ok) return classified;
  const call = classified.value;
  const url = buildUrl(base.value, call.path, input.query);
  if (!url.ok) return url;

  if (call.kind === "mail" && !call.test && input.expectLive === false) {
    return fail(
      "bad_input",
      `This is live mail: a ${call.mailType} would be printed and posted. The page showed a test, so it was stopped. ${NOTHING_DONE} Switch to Live, check it again, then press Send LIVE.`,
    );
  }
  return succeed({
    class: call,
    method: input.method,
    url: url.value,
    /** Without a trailing slash. */
    baseUrl: base.value.url,
    baseLabel: base.value.label,
    /** Decides the paper: US sizes, or those of other countries. */
    home: findHome(base.value),
    headers,
    /** The caller's headers that are sent, content type included. */
    passedHeaders: passed.value,
    body:
      call.kind === "mail" || call.kind === "sample"
        ? { ...unifyMailFields(parseRecord(body.value)), test: call.test }
        : body.value,
    wireType: call.kind === "cancel" ? FORM_TYPE : type.value,
  });
}

/** Returns the call of a letter or postcard; null for any other call. */
export function toMailCall(call: PreparedCall): MailCall | null {
  const { class: callClass, method, url, headers, body, wireType, baseUrl, home } = call;
  if (callClass.kind !== "mail") return null;
  const { mailType, path, test } = callClass;
  return { mailType, path, live: !test, method, url, headers, body, wireType, baseUrl, home };
}
