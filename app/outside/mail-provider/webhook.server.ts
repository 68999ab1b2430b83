import { createHmac, timingSafeEqual } from "node:crypto";
import { parseJsonText } from "~/platform/http/json-body.server";
import { parseRecord } from "~/platform/json-value";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { parseProviderTime } from "./call/provider-time";

export interface ReportedPiece {
  id: string;
  /** The provider's word, unchanged. */
  status: string;
  /** Comma-separated tags. */
  tags: string;
}

export type ProviderEvent =
  /** Sent when a webhook is set up, to test the receiver. */
  | { kind: "ping" }
  | { kind: "pieces"; reportedAt: Date | null; pieces: ReportedPiece[] }
  /** An event about campaigns or recipients, which are not stored here. */
  | { kind: "other"; event: string };

/** The second spelling is in older pages of the provider. */
const SIGNATURE_HEADERS = ["x-stannp-signature", "x-stannp-sigature"];
/** Events have times without a zone, and arrive up to four times, half a minute apart. */
const TOLERANCE_MS = 24 * 3_600_000;
const MAX_PIECES = 5_000;

const FORGED = fail(
  "bad_input",
  "This event is not signed by the mail provider for this console. Nothing was stored.",
);
const MALFORMED = fail("bad_input", "This event cannot be read. Nothing was stored.");

/** True when there is a signature to check. Only then a body of an event's size is read. */
export function isSignatureGiven(headers: Headers): boolean {
  return findSignature(headers) !== null;
}

/**
 * Verifies the signature of the exact bytes and parses the event. An unsigned ping passes, because it has no data and is
 * needed to set up a webhook. Fails with `bad_input`.
 * @param secrets any of these may sign, so that a secret can be changed without losing events
 */
export function parseProviderEvent(
  rawBody: Uint8Array,
  headers: Headers,
  secrets: readonly string[],
  now: number,
): Outcome<ProviderEvent> {
  const signature = findSignature(headers);
  if (signature !== null && !secrets.some((secret) => isSigned(rawBody, signature, secret))) return FORGED;
  const parsed = parseJsonText(Buffer.from(rawBody).toString("utf8"));
  const body = parsed.ok ? parseRecord(parsed.value) : {};
  if (signature === null) {
    const hasData = ["mailpieces", "campaigns", "events"].some((name) => Object.hasOwn(body, name));
    return body.event === "test_url" && !hasData ? succeed({ kind: "ping" }) : FORGED;
  }
  if (typeof body.event !== "string") return MALFORMED;
  const reportedAt = parseProviderTime(body.created);
  if (reportedAt !== null && Math.abs(now - reportedAt.getTime()) > TOLERANCE_MS) {
    return fail(
      "bad_input",
      "This event is dated more than a day from now, in the past or the future. Nothing was stored.",
    );
  }
  if (body.event === "test_url") return succeed({ kind: "ping" });
  if (body.event !== "mailpiece_status") return succeed({ kind: "other", event: body.event.slice(0, 40) });
  if (!Array.isArray(body.mailpieces) || body.mailpieces.length > MAX_PIECES) return MALFORMED;
  return succeed({ kind: "pieces", reportedAt, pieces: body.mailpieces.flatMap(parsePieces) });
}

function findSignature(headers: Headers): string | null {
  return SIGNATURE_HEADERS.map((name) => headers.get(name)).find((value) => value !== null) ?? null;
}

function isSigned(rawBody: Uint8Array, signature: string, secret: string): boolean {
  const expected = createHmac("sha256", secret).update(rawBody).digest();
  const received = /^[0-9a-f]{64}$/i.test(signature.trim())
    ? Buffer.from(signature.trim(), "hex")
    : Buffer.alloc(0);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

function parsePieces(value: unknown): ReportedPiece[] {
  const { id, mailpiece_id, status, tags } = Object(value) as Record<string, unknown>;
  const named = id ?? mailpiece_id;
  if ((typeof named !== "string" && typeof named !== "number") || typeof status !== "string") return [];
  return [{ id: String(named).trim(), status, tags: typeof tags === "string" ? tags : "" }];
}
