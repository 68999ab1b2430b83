import { createHash } from "node:crypto";
import { buildUrl, findBase } from "~/outside/mail-provider/call/address.server";
import type { FrozenCall } from "~/outside/mail-provider/call/client.server";
import { encodeWireBody, parseWireBody, type WireType } from "~/outside/mail-provider/call/wire.server";
import { findHome } from "~/outside/mail-provider/request-fields";
import { parseRecord } from "~/platform/json-value";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { MAIL_PATHS, type MailType } from "../mail-type";
import { addSendTag, formatSendTag } from "../send-tag";
import { unifyMailFields } from "./mail-fields";

/** A call that can be sent to the provider. */
export interface Call {
  method: string;
  url: string;
  /** Without the content type. */
  headers: Record<string, string>;
  /** The body's fields; undefined without a body. */
  body: unknown;
  wireType: WireType;
}

/** The provider's call that mails a letter or postcard. */
export interface MailCall extends Call {
  mailType: MailType;
  /** One of {@link MAIL_PATHS}. */
  path: string;
  /** True for real mail: it costs credits and cannot be called back. */
  live: boolean;
  /** The base of the URL, without a trailing slash. */
  baseUrl: string;
  /** The paper it is printed on: US sizes, or those of the rest of the world. */
  home: "US" | "GB";
}

/** A letter or postcard without a caller's own call. */
interface NewMail {
  path: string;
  test: boolean;
  /** The provider's fields, without `test`. */
  fields: Record<string, unknown>;
  /** One of the allowed base URLs; null for the first. */
  baseUrl: string | null;
}

/** Builds the call of a letter or postcard. Fails with `bad_input` for another path, and as the base URL and the body do. */
export function buildMailCall({ path, test, fields, baseUrl }: NewMail): Outcome<MailCall> {
  const mailType = MAIL_PATHS.get(path);
  if (mailType === undefined) return fail("bad_input", formatNotMail(path));
  const base = findBase(baseUrl);
  if (!base.ok) return base;
  const url = buildUrl(base.value, path, {});
  if (!url.ok) return url;
  const body = parseWireBody(fields, "application/json");
  if (!body.ok) return body;
  return succeed({
    mailType,
    path,
    live: !test,
    method: "POST",
    url: url.value,
    baseUrl: base.value.url,
    home: findHome(base.value),
    headers: {},
    body: { ...unifyMailFields(parseRecord(body.value)), test },
    wireType: "application/json",
  });
}

/** Freezes the exact bytes of a call. */
export function freezeCall({ method, url, headers, body, wireType }: Call): FrozenCall {
  const bytes = encodeWireBody(body, wireType);
  return {
    method,
    url,
    headers: bytes === null ? headers : { ...headers, "content-type": wireType },
    body: bytes,
  };
}

/** Freezes the exact bytes of live mail, with the key and tag by which the provider mails it once and lists it. */
export function freezeLiveCall(call: MailCall, id: string): FrozenCall {
  const fields = parseRecord(call.body);
  const tags = addSendTag(String(fields.tags ?? ""), formatSendTag(id));
  const headers = { ...call.headers, "x-idempotency-key": id };
  return freezeCall({ ...call, headers, body: { ...fields, idempotency_key: id, tags } });
}

/** Hashes a call and its payer. */
export function hashCall({ method, url, headers, wireType, body }: Call, payerId: string): string {
  const parts = [payerId, method, url, headers, wireType, body];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function formatNotMail(path: string): string {
  return `"${path}" is neither a letter nor a postcard. ${NOTHING_DONE}`;
}
