import { createHmac, timingSafeEqual } from "node:crypto";
import { parseJsonText } from "~/platform/http/body.server";
import { isRecord } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { parseProviderTime } from "./time";

/** The provider's webhooks. */

/** What one piece is said to be. */
export interface ReportedPiece {
  /** The provider's id. */
  id: string;
  /** Its word, as it came. */
  status: string;
  /** As the piece carries them, comma-separated. */
  tags: string;
}

export type ProviderEvent =
  /** Sent when a webhook is set up, to see whether the receiver answers. */
  | { kind: "ping" }
  | { kind: "pieces"; saidAt: Date | null; pieces: ReportedPiece[] }
  /** About campaigns and recipients, which are not kept here. */
  | { kind: "other"; event: string };

/** The old spelling is in the provider's older pages. */
const SIGNATURE_HEADERS = ["x-stannp-signature", "x-stannp-sigature"];
/** Events carry no zone, and come up to four times, half a minute apart. */
const TOLERANCE_MS = 24 * 3_600_000;
const MAX_PIECES = 5_000;

const FORGED = fail(
  "bad_input",
  "This event is not signed by the mail provider for this console. Nothing was stored.",
);
const MALFORMED = fail("bad_input", "This event cannot be read. Nothing was stored.");
const OLD = fail("bad_input", "This event is more than a day old or ahead of its time. Nothing was stored.");

/** True when anything is to be checked: only then is a body of an event's size worth reading. */
export function isSignatureGiven(headers: Headers): boolean {
  return findSignature(headers) !== null;
}

/**
 * The event in the exact bytes that came in, once their signature is found right. An unsigned ping passes: it brings
 * nothing, and without its answer no webhook can be set up. Fails with `bad_input`.
 * @param secrets any of them may have signed it, so that the secret can be changed without losing an event
 */
export function parseProviderEvent(
  rawBody: Uint8Array,
  headers: Headers,
  secrets: readonly string[],
  now: number,
): Outcome<ProviderEvent> {
  const signature = findSignature(headers);
  if (signature !== null && !secrets.some((secret) => isSigned(rawBody, signature, secret))) return FORGED;
  const body = parseBody(rawBody);
  if (signature === null)
    return body?.event === "test_url" && isPing(body) ? succeed({ kind: "ping" }) : FORGED;
  if (body === null || typeof body.event !== "string") return MALFORMED;
  const saidAt = parseProviderTime(body.created);
  if (saidAt !== null && Math.abs(now - saidAt.getTime()) > TOLERANCE_MS) return OLD;
  if (body.event === "test_url") return succeed({ kind: "ping" });
  if (body.event !== "mailpiece_status") return succeed({ kind: "other", event: body.event.slice(0, 40) });
  if (!Array.isArray(body.mailpieces) || body.mailpieces.length > MAX_PIECES) return MALFORMED;
  return succeed({ kind: "pieces", saidAt, pieces: body.mailpieces.flatMap(parsePieces) });
}

function findSignature(headers: Headers): string | null {
  return SIGNATURE_HEADERS.map((name) => headers.get(name)).find((value) => value !== null) ?? null;
}

function isSigned(rawBody: Uint8Array, signature: string, secret: string): boolean {
  const expected = createHmac("sha256", secret).update(rawBody).digest();
  const given = /^[0-9a-f]{64}$/i.test(signature.trim())
    ? Buffer.from(signature.trim(), "hex")
    : Buffer.alloc(0);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function parseBody(rawBody: Uint8Array): Record<string, unknown> | null {
  const parsed = parseJsonText(Buffer.from(rawBody).toString("utf8"));
  return parsed.ok && isRecord(parsed.value) ? parsed.value : null;
}

function isPing(body: Record<string, unknown>): boolean {
  return !["mailpieces", "campaigns", "events"].some((name) => Object.hasOwn(body, name));
}

function parsePieces(value: unknown): ReportedPiece[] {
  const { id, mailpiece_id, status, tags } = Object(value) as Record<string, unknown>;
  const named = id ?? mailpiece_id;
  if ((typeof named !== "string" && typeof named !== "number") || typeof status !== "string") return [];
  return [{ id: String(named).trim(), status, tags: typeof tags === "string" ? tags : "" }];
}
