import { findHome } from "~/outside/mail-provider/account-home";
import { buildUrl, findBase } from "~/outside/mail-provider/call/address.server";
import type { FrozenCall } from "~/outside/mail-provider/call/client.server";
import { encodeWireBody, parseWireBody, type WireType } from "~/outside/mail-provider/call/wire.server";
import { parseInlineRecipient } from "~/outside/mail-provider/request-fields";
import { sha256 } from "~/platform/hash.server";
import { parseRecord } from "~/platform/json-value";
import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { parseAddressee, parseMergeData } from "~/recipients/addressee.server";
import { MAIL_PATHS, type MailType } from "../mail-type";
import { addSendTag, dropSendTags, formatSendTag } from "../send-tag";

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
  if (mailType === undefined) {
    return fail("bad_input", `"${path}" is neither a letter nor a postcard. ${NOTHING_DONE}`);
  }
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

/** Fixes the bytes of a call. */
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

/** Hashes a request and its payer, so that another request under the same key is noticed. */
export function hashCall({ method, url, headers, wireType, body }: Call, payerId: string): string {
  return sha256(JSON.stringify([payerId, method, url, headers, wireType, body]));
}

/** Fields that change neither content nor address. */
const ASIDE = ["recipient", "tags", "test", "idempotency_key", "campaign_id"];

/**
 * Hashes content and address of a piece, without tags and payer; null for a piece without a recipient. A recipient
 * named by its id is another one in another account (`baseUrl`).
 */
export function hashPiece(mailType: string, body: unknown, baseUrl: string): string | null {
  const { key, recipientId } = parseAddressee(body);
  const address = key ?? (recipientId && [baseUrl, recipientId]);
  if (address === null) return null;
  const content = Object.entries(parseRecord(body))
    .filter(([name]) => !ASIDE.includes(name) && !name.startsWith("recipient["))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([mailType, address, content, parseMergeData(body)]));
}

type Fields = Record<string, unknown>;

const CONTENT: Readonly<Record<string, readonly string[]>> = {
  "postcards/create": ["template", "front", "back", "message"],
  "letters/create": ["template", "file", "pages", "background"],
  "letters/post": ["file", "pdf"],
};
/** Calls whose file has the recipient's address. */
const ADDRESSED_BY_FILE = ["letters/post"];

/**
 * Unifies the fields of a letter or postcard: one list of tags and at most one idempotency key, in any spelling. The
 * provider reads `tags[0]` as part of `tags`, and would lose one of them. Drops tags of our sends, which come with
 * requests copied from an answer.
 */
export function unifyMailFields(fields: Fields): Fields {
  const kept: Fields = {};
  const tags: unknown[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const stem = stemOf(name);
    if (stem === "tags") tags.push(...listValues(value));
    else if (stem !== "idempotency_key" || name === stem) kept[name] = value;
  }
  const text = dropSendTags(tags.join(","));
  return text === "" ? kept : { ...kept, tags: text };
}

/** Finds the part that live mail needs and these fields lack; null when nothing is missing. */
export function findMissing(path: string, fields: Fields): "recipient" | "content" | null {
  const stems = new Set(
    Object.entries(fields)
      .filter(([, value]) => !isEmpty(value))
      .map(([name]) => stemOf(name)),
  );
  const { recipient } = fields;
  const isNamed =
    typeof recipient === "object" || recipient === undefined ? isInline(fields) : !isEmpty(recipient);
  if (!ADDRESSED_BY_FILE.includes(path) && !isNamed) return "recipient";
  const content = CONTENT[path];
  return content === undefined || content.some((name) => stems.has(name)) ? null : "content";
}

function isInline(fields: Fields): boolean {
  return Object.values(parseInlineRecipient(fields)).some((value) => !isEmpty(value));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).every(isEmpty);
  return value === undefined || value === null || value === false || String(value).trim() === "";
}

/**
 * Finds the name under which the provider reads a field. It runs PHP, which reads `tags[0]`, ` tags` and
 * `idempotency.key[x]` as parts of `tags` and `idempotency_key`.
 */
function stemOf(name: string): string {
  return (name.trimStart().split("[")[0] ?? "").replace(/[ .]/g, "_").toLowerCase();
}

function listValues(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [value ?? ""];
  return Object.values(value).flatMap(listValues);
}
