import { setTimeout as wait } from "node:timers/promises";
import { env } from "~/platform/env.server";
import type { BaseUrl } from "~/platform/env-values.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { log } from "~/platform/log.server";
import { buildUrl } from "./call/address.server";
import { callProvider } from "./call/client.server";
import { maskKey } from "./call/mask.server";
import { formatNoAnswer } from "./call/no-answer";
import { parseCallsLeft, parseWaitSeconds } from "./call/rate-limit";
import { formatReason } from "./piece.server";
import { parseProviderTime } from "./time";

/** A piece as the provider lists it, without the addressee. Texts are short, masked and on one line. */
export interface ListedPiece {
  id: string;
  /** `letter`, `postcard` or a word of the provider's. */
  type: string;
  status: string;
  /** In the account's currency; null where it is no number. */
  cost: number | null;
  tags: string;
  createdAt: Date | null;
}

/** Why a list could not be read to its end. */
interface ListingProblem {
  /** `key`: the account does not take our key, so nothing of ours went there by it. */
  kind: "key" | "rate_limited" | "unreadable";
  /** As a sentence. */
  reason: string;
}

export interface Listing {
  pieces: ListedPiece[];
  problem: ListingProblem | null;
}

const PAGE_SIZE = 1000;
/** Calls that are left to everybody else in this minute. */
const RESERVE = 10;
const MAX_TEXT_CHARS = 200;
/** Our tag stands behind the caller's own. */
const MAX_TAGS_CHARS = 4_000;

/**
 * All pieces that the account behind a base URL has from one day to another, both inclusive, as `2026-11-21`. Waits for
 * the rate limit while the deadline (of `performance.now()`) lets it. Never throws: what was read before a problem is
 * given with it.
 * @param keyFingerprint of the key to ask with; null: the one that sends
 */
export async function listPieces(
  base: BaseUrl,
  days: { from: string; to: string },
  deadline: number,
  keyFingerprint: string | null = null,
): Promise<Listing> {
  const pieces = new Map<string, ListedPiece>();
  const stop = (kind: ListingProblem["kind"], reason: string): Listing => ({
    pieces: [...pieces.values()],
    problem: { kind, reason },
  });
  // The provider documents neither the size of a page nor the end of a list: it ends when a page has nothing new.
  for (let offset = 0; ; ) {
    const page = await askForPage(base, days, offset, deadline, keyFingerprint);
    if (page.kind === "problem") return stop(page.problem.kind, page.problem.reason);
    let fresh = 0;
    for (const row of page.rows) {
      const piece = parsePiece(row);
      if (!piece) return stop("unreadable", "The provider's list has an entry that cannot be read.");
      const name = formatPieceKey(piece);
      if (!pieces.has(name)) fresh += 1;
      pieces.set(name, piece);
    }
    if (fresh === 0) return { pieces: [...pieces.values()], problem: null };
    offset += page.rows.length;
    if (page.pauseSeconds > 0 && !(await pause(page.pauseSeconds, deadline))) {
      return stop("rate_limited", formatScarce(page.pauseSeconds));
    }
  }
}

/** The same for one and the same piece, at whichever address of its account it is listed. */
export function formatPieceKey({ id, type, createdAt }: ListedPiece): string {
  return `${id} ${type} ${createdAt?.getTime() ?? ""}`;
}

type Page =
  /** `pauseSeconds`: before the next call, because the rate limit is nearly used up. */
  { kind: "rows"; rows: unknown[]; pauseSeconds: number } | { kind: "problem"; problem: ListingProblem };

async function askForPage(
  base: BaseUrl,
  { from, to }: { from: string; to: string },
  offset: number,
  deadline: number,
  keyFingerprint: string | null,
): Promise<Page> {
  const problem = (kind: ListingProblem["kind"], reason: string): Page => ({
    kind: "problem",
    problem: { kind, reason },
  });
  const query = { offset: String(offset), limit: String(PAGE_SIZE) };
  const url = buildUrl(base, `reporting/list/${from}/${to}/all`, query);
  if (!url.ok) return problem("unreadable", url.failure.message);
  for (;;) {
    const timeoutMs = Math.floor(Math.min(env().providerTimeoutMs, deadline - performance.now()));
    if (timeoutMs < 1)
      return problem("unreadable", "The list was not read to its end within the time for it.");
    const call = {
      method: "GET",
      url: url.value,
      headers: {},
      body: null,
      signal: null,
      timeoutMs,
      keyFingerprint,
    };
    const result = await callProvider(call);
    log.info("provider.called", {
      method: "GET",
      providerPath: "reporting/list",
      durationMs: result.durationMs,
      ...(result.kind === "answered" ? { providerStatus: result.status } : { reason: result.kind }),
    });
    if (result.kind !== "answered") return problem("unreadable", formatNoAnswer(result, timeoutMs));
    const { status, headers, text } = result;
    if (status === 429) {
      const waitSeconds = parseWaitSeconds(headers);
      if (await pause(waitSeconds, deadline)) continue;
      return problem("rate_limited", formatScarce(waitSeconds));
    }
    const body = parseRecord(parseJson(text));
    const rows = Array.isArray(body.data) ? body.data : parseRecord(body.data).singles;
    if (status !== 200 || body.success !== true || !Array.isArray(rows)) {
      const said = tidy(maskKey(formatReason(status, body))).replace(/\.?$/, ".");
      return problem(
        status === 401 || status === 403 ? "key" : "unreadable",
        `The provider gave no list: ${said}`,
      );
    }
    const left = parseCallsLeft(headers);
    return {
      kind: "rows",
      rows,
      pauseSeconds: left !== null && left <= RESERVE ? parseWaitSeconds(headers) : 0,
    };
  }
}

/** False when it would be over after the deadline. */
async function pause(seconds: number, deadline: number): Promise<boolean> {
  if (performance.now() + seconds * 1000 >= deadline) return false;
  await wait(seconds * 1000);
  return true;
}

function formatScarce(waitSeconds: number): string {
  return `The provider's rate limit is nearly used up; there is room again in ${waitSeconds} s.`;
}

function parsePiece(row: unknown): ListedPiece | null {
  const { id, mailpiece_id, type, status, cost, tags, timestamp, created } = parseRecord(row);
  const named = id ?? mailpiece_id;
  if (typeof named !== "string" && typeof named !== "number") return null;
  const text = (value: unknown, maxChars?: number) =>
    typeof value === "string" ? tidy(maskKey(value), maxChars) : "";
  const price = cost === null || cost === undefined || cost === "" ? Number.NaN : Number(cost);
  return {
    id: tidy(maskKey(String(named))),
    type: text(type).toLowerCase(),
    status: text(status),
    cost: Number.isFinite(price) ? price : null,
    tags: text(tags, MAX_TAGS_CHARS),
    createdAt: parseProviderTime(timestamp) ?? parseProviderTime(created),
  };
}

/** Fit for a page and a terminal. */
function tidy(text: string, maxChars = MAX_TEXT_CHARS): string {
  return text
    .slice(0, maxChars)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, " ")
    .trim();
}
