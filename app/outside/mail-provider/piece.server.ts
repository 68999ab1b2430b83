import type { MAIL_PRICES } from "~/catalogue/prices";
import { env } from "~/platform/env.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { buildUrl } from "./call/address.server";
import { REFUSING_STATUSES } from "./call/answer";
import { callProvider, type FrozenCall, type ProviderResult } from "./call/client.server";
import { formatNoAnswer } from "./call/no-answer";
import { parseProviderTime } from "./call/provider-time";
import { parseWaitSeconds } from "./call/rate-headers";
import { encodeWireBody, FORM_TYPE } from "./call/wire.server";

export interface PieceAddress {
  /** An allowed base URL, without a trailing slash. */
  baseUrl: string;
  type: keyof typeof MAIL_PRICES;
  id: string;
  /** Fingerprint of the key to use; null: the current one. */
  keyFingerprint: string | null;
}

/** One call and its result, with the key masked. */
export type Exchange = { sent: FrozenCall; result: ProviderResult };

export type CancelOutcome =
  | { kind: "cancelled" }
  /** `byKey`: 401 or 403, which is about our key and not about the piece. */
  | { kind: "refused"; reason: string; byKey: boolean }
  /** Not done, and may be retried after `waitSeconds`. */
  | { kind: "rate_limited"; waitSeconds: number }
  /** The provider has seen nothing. */
  | { kind: "never_sent"; reason: string }
  /** It may have been done. */
  | { kind: "unknown"; happened: string };

export type FetchedPiece = { headers: Readonly<Record<string, string>> } & (
  | { kind: "found"; status: string; reportedAt: Date | null; tags: string }
  /** The provider does not have it at this address. */
  | { kind: "missing"; reason: string }
  | { kind: "rate_limited"; waitSeconds: number }
  | { kind: "unclear"; reason: string }
);

const MAX_REASON_CHARS = 300;

export function isKnownBase(baseUrl: string): boolean {
  return env().baseUrls.some(({ url }) => url === baseUrl);
}

/** Asks the provider to cancel a piece, with the current key. Never throws. */
export async function callCancel(
  piece: Omit<PieceAddress, "keyFingerprint">,
  timeoutMs: number,
): Promise<{ exchange: Exchange; outcome: CancelOutcome }> {
  const options = { form: { id: piece.id }, timeoutMs };
  const exchange = await callBase(piece.baseUrl, `${piece.type}s/cancel`, options);
  return { exchange, outcome: parseCancelOutcome(exchange.result, timeoutMs) };
}

/** Fetches the provider's status of a piece. Never throws. */
export async function fetchPiece(
  { baseUrl, type, id, keyFingerprint }: PieceAddress,
  timeoutMs: number,
): Promise<FetchedPiece> {
  const path = `${type}s/get/${encodeURIComponent(id)}`;
  const { result } = await callBase(baseUrl, path, { timeoutMs, keyFingerprint });
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
  return { kind: "found", status: piece.status, reportedAt: parseProviderTime(piece.updated), tags, headers };
}

/** Classifies an answer to a form that cancels or deletes. @param timeoutMs time limit of the call */
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

/** Calls a path below a base: posts the form, or gets without one. Never throws. */
export async function callBase(
  baseUrl: string,
  path: string,
  options: {
    form?: Record<string, string>;
    query?: Record<string, string>;
    timeoutMs: number;
    /** Absent or null: the current key. */
    keyFingerprint?: string | null;
  },
): Promise<Exchange> {
  const { form, query = {}, timeoutMs, keyFingerprint = null } = options;
  const method = form ? "POST" : "GET";
  const body = form ? encodeWireBody(form, FORM_TYPE) : null;
  const headers: Record<string, string> = form ? { "content-type": FORM_TYPE } : {};
  const base = env().baseUrls.find(({ url }) => url === baseUrl);
  const url = base && buildUrl(base, path, query);
  if (!url?.ok) {
    const reason = "this server does not know the base URL it was sent to";
    const sent = { method, url: `${baseUrl}/${path}`, headers, body };
    return { sent, result: { kind: "unreachable", reason, durationMs: 0 } };
  }
  const sent = { method, url: url.value, headers, body };
  const result = await callProvider({ ...sent, timeoutMs: Math.max(1, timeoutMs), keyFingerprint });
  return { sent, result };
}

export function formatReason(status: number, { error, message }: Record<string, unknown>): string {
  const words = [error, message].find((text) => typeof text === "string" && text.trim() !== "");
  return String(words ?? `it answered with status ${status}`).slice(0, MAX_REASON_CHARS);
}

/** True for the emulator of `npm run dev`, which can change a status. Only local base URLs may be plain http. */
export function canSimulate(baseUrl: string): boolean {
  return isKnownBase(baseUrl) && new URL(baseUrl).protocol === "http:";
}

/** Moves a piece to its next status. Returns null, or the reason why it was not done. Never throws. */
export async function callSimulate(piece: PieceAddress, timeoutMs: number): Promise<string | null> {
  const path = `${piece.type}s/simulate`;
  const { result } = await callBase(piece.baseUrl, path, { form: { id: piece.id }, timeoutMs });
  const outcome = parseCancelOutcome(result, timeoutMs);
  if (outcome.kind === "cancelled") return null;
  if (outcome.kind === "rate_limited") return "its rate limit is used up.";
  return outcome.kind === "unknown" ? outcome.happened : outcome.reason;
}
