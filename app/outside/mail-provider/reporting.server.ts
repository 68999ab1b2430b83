import { setTimeout as wait } from "node:timers/promises";
import { env } from "~/platform/env.server";
import type { BaseUrl } from "~/platform/env-variables.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { endSentence } from "~/platform/sentence";
import { logProviderCall } from "./call/client.server";
import { maskKey } from "./call/keys.server";
import { formatNoAnswer } from "./call/no-answer";
import { parseProviderTime } from "./call/provider-time";
import { parseCallsLeft, parseWaitSeconds } from "./call/rate-headers";
import { callBase, formatReason } from "./piece.server";

/** The reason why a list could not be read to its end. */
interface ListingProblem {
  /** `key`: the account refuses our key, so no piece was sent there with it. */
  kind: "key" | "rate_limited" | "unreadable";
  reason: string;
}

export type Listing = { pieces: ListedPiece[]; problem: ListingProblem | null };

const PAGE_SIZE = 1000;
/** Calls of this minute that are left for other uses. */
const RESERVE = 10;
const MAX_TEXT_CHARS = 200;
/** Our tag comes after the caller's own. */
const MAX_TAGS_CHARS = 4_000;

/**
 * Lists the pieces of a base URL's account between two days such as `2026-11-21`, inclusive. Waits for the rate limit until
 * the deadline (of `performance.now()`). Never throws, and returns the pieces read before a problem.
 * @param keyFingerprint fingerprint of the key to use; null: the current one
 */
export async function listPieces(
  base: BaseUrl,
  days: { from: string; to: string },
  deadline: number,
  keyFingerprint: string | null = null,
): Promise<Listing> {
  const pieces = new Map<string, ListedPiece>();
  const stop = (problem: ListingProblem | null): Listing => ({ pieces: [...pieces.values()], problem });
  // The provider documents neither the size of a page nor the end of a list, so a page without new pieces ends it.
  for (let offset = 0; ; ) {
    const page = await fetchPage(base, days, offset, deadline, keyFingerprint);
    if ("kind" in page) return stop(page);
    const before = pieces.size;
    for (const row of page.rows) {
      const piece = parsePiece(row);
      if (!piece) {
        return stop({ kind: "unreadable", reason: "The provider's list has an entry that cannot be read." });
      }
      pieces.set(formatPieceKey(piece), piece);
    }
    if (pieces.size === before) return stop(null);
    offset += page.rows.length;
    if (page.pauseSeconds > 0 && !(await pause(page.pauseSeconds, deadline))) {
      return stop(toScarce(page.pauseSeconds));
    }
  }
}

/** Formats a key that is the same for a piece at each base URL of its account. */
export function formatPieceKey({ id, type, createdAt }: ListedPiece): string {
  return `${id} ${type} ${createdAt?.getTime() ?? ""}`;
}

/** @returns `pauseSeconds` before the next call, because the rate limit is nearly used up */
async function fetchPage(
  base: BaseUrl,
  { from, to }: { from: string; to: string },
  offset: number,
  deadline: number,
  keyFingerprint: string | null,
): Promise<{ rows: unknown[]; pauseSeconds: number } | ListingProblem> {
  const query = { offset: String(offset), limit: String(PAGE_SIZE) };
  const path = `reporting/list/${from}/${to}/all`;
  for (;;) {
    const timeoutMs = Math.floor(Math.min(env().providerTimeoutMs, deadline - performance.now()));
    if (timeoutMs < 1) {
      return { kind: "unreadable", reason: "The list was not read to its end within its time limit." };
    }
    const { result } = await callBase(base.url, path, { query, timeoutMs, keyFingerprint });
    logProviderCall({ method: "GET", providerPath: "reporting/list" }, result);
    if (result.kind !== "answered") return { kind: "unreadable", reason: formatNoAnswer(result, timeoutMs) };
    const { status, headers, text } = result;
    if (status === 429) {
      const waitSeconds = parseWaitSeconds(headers);
      if (await pause(waitSeconds, deadline)) continue;
      return toScarce(waitSeconds);
    }
    const body = parseRecord(parseJson(text));
    const rows = Array.isArray(body.data) ? body.data : parseRecord(body.data).singles;
    if (status !== 200 || body.success !== true || !Array.isArray(rows)) {
      const reason = endSentence(tidy(maskKey(formatReason(status, body))));
      const kind = status === 401 || status === 403 ? "key" : "unreadable";
      return { kind, reason: `The provider gave no list: ${reason}` };
    }
    const left = parseCallsLeft(headers);
    return { rows, pauseSeconds: left !== null && left <= RESERVE ? parseWaitSeconds(headers) : 0 };
  }
}

/** False, without a wait, when it would end after the deadline. */
async function pause(seconds: number, deadline: number): Promise<boolean> {
  if (performance.now() + seconds * 1000 >= deadline) return false;
  await wait(seconds * 1000);
  return true;
}

function toScarce(waitSeconds: number): ListingProblem {
  const reason = `The provider's rate limit is nearly used up; there is room again in ${waitSeconds} s.`;
  return { kind: "rate_limited", reason };
}

/** A piece in the provider's list, without the addressee. Texts are short, masked and on one line. */
export type ListedPiece = NonNullable<ReturnType<typeof parsePiece>>;

function parsePiece(row: unknown) {
  const { id, mailpiece_id, type, status, cost, tags, timestamp, created } = parseRecord(row);
  const named = id ?? mailpiece_id;
  if (typeof named !== "string" && typeof named !== "number") return null;
  const text = (value: unknown, maxChars?: number) =>
    typeof value === "string" ? tidy(maskKey(value), maxChars) : "";
  const price = cost === null || cost === undefined || cost === "" ? Number.NaN : Number(cost);
  return {
    id: tidy(maskKey(String(named))),
    /** `letter`, `postcard` or another word of the provider. */
    type: text(type).toLowerCase(),
    status: text(status),
    /** Amount in the account's currency; null when it is not a number. */
    cost: Number.isFinite(price) ? price : null,
    tags: text(tags, MAX_TAGS_CHARS),
    createdAt: parseProviderTime(timestamp) ?? parseProviderTime(created),
  };
}

/** Shortens a text and removes characters that are unsafe on a page or in a terminal. */
function tidy(text: string, maxChars = MAX_TEXT_CHARS): string {
  return text
    .slice(0, maxChars)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, " ")
    .trim();
}
