import type { MAIL_PRICES } from "~/catalogue/prices";
import { env } from "~/platform/env.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { buildUrl } from "./call/address.server";
import { callProvider, type ProviderResult } from "./call/client.server";
import { formatNoAnswer } from "./call/no-answer";
import { parseWaitSeconds } from "./call/rate-limit";
import { encodeWireBody, FORM_TYPE } from "./call/wire.server";
import { REFUSING_STATUSES } from "./refusal";
import { parseProviderTime } from "./time";

/** The calls about one letter or postcard that Mailroom makes by itself: cancel and get. */

type PieceType = keyof typeof MAIL_PRICES;

/** A piece as the provider knows it. */
export interface PieceAddress {
  /** An allowed base URL, without a trailing slash. */
  baseUrl: string;
  type: PieceType;
  /** The provider's. */
  id: string;
  /** Of the key to ask with; null: the one that sends. */
  keyFingerprint: string | null;
}

/** One call and what came back, with the key masked. */
export interface Exchange {
  sent: { method: string; url: string; headers: Record<string, string>; body: string | null };
  result: ProviderResult;
}

/** What an answer to a cancel means. */
export type CancelOutcome =
  | { kind: "cancelled" }
  /** `byKey`: 401 or 403, which tells of our key and not of the piece. */
  | { kind: "refused"; reason: string; byKey: boolean }
  /** Not done; to be asked again after so many seconds. */
  | { kind: "rate_limited"; waitSeconds: number }
  /** The provider has seen nothing. */
  | { kind: "never_sent"; reason: string }
  /** It may have been done. */
  | { kind: "unknown"; happened: string };

/** Where the provider says a piece stands. */
export type PieceLook = { headers: Readonly<Record<string, string>> } & (
  | { kind: "found"; status: string; saidAt: Date | null; tags: string }
  /** The provider does not have it at this address. */
  | { kind: "missing"; reason: string }
  | { kind: "rate_limited"; waitSeconds: number }
  | { kind: "unclear"; reason: string }
);

const MAX_REASON_CHARS = 300;

/** True when this process may call that base. */
export function isKnownBase(baseUrl: string): boolean {
  return env().baseUrls.some(({ url }) => url === baseUrl);
}

/** Asks the provider to cancel a piece, with the key that sends. Never throws. */
export async function callCancel(
  piece: Omit<PieceAddress, "keyFingerprint">,
  timeoutMs: number,
): Promise<{ exchange: Exchange; outcome: CancelOutcome }> {
  const exchange = await callWithForm(piece.baseUrl, `${piece.type}s/cancel`, { id: piece.id }, timeoutMs);
  return { exchange, outcome: parseCancelOutcome(exchange.result, timeoutMs) };
}

/** Asks the provider where a piece stands. Never throws. */
export async function lookAtPiece(
  { baseUrl, type, id, keyFingerprint }: PieceAddress,
  timeoutMs: number,
): Promise<PieceLook> {
  const path = `${type}s/get/${encodeURIComponent(id)}`;
  const { result } = await callBase(baseUrl, "GET", path, null, timeoutMs, keyFingerprint);
  if (result.kind !== "answered") {
    return { kind: "unclear", reason: formatNoAnswer(result, timeoutMs), headers: {} };
  }
  const { status, headers } = result;
  if (status === 429) return { kind: "rate_limited", waitSeconds: parseWaitSeconds(headers), headers };
  const body = parseRecord(parseJson(result.text));
  const reason = formatReason(status, body);
  if (status === 404) return { kind: "missing", reason, headers };
  const piece = body.success === undefined ? body : parseRecord(body.data);
  const named = [piece.id, piece.mailpiece_id].map(String).includes(id);
  if (status !== 200 || body.success === false || !named || typeof piece.status !== "string") {
    return { kind: "unclear", reason, headers };
  }
  const tags = typeof piece.tags === "string" ? piece.tags : "";
  return { kind: "found", status: piece.status, saidAt: parseProviderTime(piece.updated), tags, headers };
}

/** A form-encoded POST to a path below a base, with the key masked in all that comes back. Never throws. */
export function callWithForm(
  baseUrl: string,
  path: string,
  fields: Record<string, string>,
  timeoutMs: number,
): Promise<Exchange> {
  return callBase(baseUrl, "POST", path, encodeWireBody(fields, FORM_TYPE), timeoutMs);
}

/** Reads an answer to a form that cancels or deletes: done, refused, or not known. @param timeoutMs of the call */
export function parseCancelOutcome(result: ProviderResult, timeoutMs: number): CancelOutcome {
  if (result.kind === "unreachable") return { kind: "never_sent", reason: result.reason };
  if (result.kind !== "answered") {
    return { kind: "unknown", happened: formatNoAnswer(result, timeoutMs) };
  }
  const { status, headers } = result;
  if (status === 429) return { kind: "rate_limited", waitSeconds: parseWaitSeconds(headers) };
  const body = parseRecord(parseJson(result.text));
  const fine = status >= 200 && status <= 299;
  if (fine && body.success === true) return { kind: "cancelled" };
  if (REFUSING_STATUSES.has(status) || (fine && body.success === false)) {
    return { kind: "refused", reason: formatReason(status, body), byKey: status === 401 || status === 403 };
  }
  const happened = `The provider's answer (status ${status}) does not say whether it was done.`;
  return { kind: "unknown", happened };
}

/** One call to a path below a base, with the key masked in all that comes back. Never throws. */
export async function callBase(
  baseUrl: string,
  method: string,
  path: string,
  body: string | null,
  timeoutMs: number,
  keyFingerprint: string | null = null,
): Promise<Exchange> {
  const headers: Record<string, string> = body === null ? {} : { "content-type": FORM_TYPE };
  const base = env().baseUrls.find(({ url }) => url === baseUrl);
  const url = base && buildUrl(base, path, {});
  if (!url?.ok) {
    const reason = "this server does not know the base URL it was sent to";
    const sent = { method, url: `${baseUrl}/${path}`, headers, body };
    return { sent, result: { kind: "unreachable", reason, durationMs: 0 } };
  }
  const sent = { method, url: url.value, headers, body };
  const result = await callProvider({
    ...sent,
    signal: null,
    timeoutMs: Math.max(1, timeoutMs),
    keyFingerprint,
  });
  return { sent, result };
}

export function formatReason(status: number, { error, message }: Record<string, unknown>): string {
  const said = [error, message].find((text) => typeof text === "string" && text.trim() !== "");
  return String(said ?? `it answered with status ${status}`).slice(0, MAX_REASON_CHARS);
}
