import { createHash } from "node:crypto";
import { setImmediate as endOfTick, setTimeout as wait } from "node:timers/promises";
import { CATEGORIES } from "~/catalogue/categories";
import { findPreset, findPresetForCall, isCallOf } from "~/catalogue/presets";
import { CUSTOM } from "~/catalogue/types";
import { maskKey } from "~/outside/mail-provider/call/keys.server";
import { withDatabase } from "~/platform/database/database.server";
import { errorNameOf, log } from "~/platform/log.server";
import type { Outcome } from "~/platform/outcome";
import { finishBeforeExit } from "~/platform/stopping.server";
import { createResponseId, type NewResponse } from "../response-record.server";
import type { StoredRequest } from "../stored-response";
import { MAX_BODY_CHARS, toStoredBody } from "./body-text";
import { stripFiles } from "./strip-files.server";

/** Saves the response of every request that a signed-in user sends. */

/** A request as it is stored: named as in the catalogue, secrets masked, files stripped. */
export type SavedCall = Pick<NewResponse, "category" | "preset" | "method" | "path" | "tags" | "requestText">;

/** A request whose response is to be stored. */
export interface CallToSave {
  request: StoredRequest;
  presetId: string | null;
  tags: string[];
}

/** The provider's answer, masked. */
export interface SavedAnswer {
  status: number;
  text: string;
  bytes?: Uint8Array;
  /** Set when it is already known. */
  isJson?: boolean;
  headers: Record<string, string>;
  durationMs: number;
}

const AUTO_TAG = "auto-saved";
/** Limits of the responses that wait for the database. */
const MOST_WAITING = { answers: 256, chars: 64 * 1024 * 1024 };
/** Saves of this process that are not done yet, and their size. */
const underWay = new Set<Promise<void>>();
let waitingChars = 0;
/** A read waits at most this long for saves. */
const MOST_READ_WAIT_MS = 1_000;

/** Prepares a request for storing. */
export async function toSavedCall({ request, presetId, tags }: CallToSave): Promise<SavedCall> {
  const { category, preset } = selectEndpoint(request.method, request.path, presetId);
  const text = maskKey(JSON.stringify(await stripFiles(request)));
  return {
    category,
    preset,
    method: request.method,
    path: maskKey(request.path),
    tags: tags.length === 0 ? [AUTO_TAG] : tags.map((tag) => maskKey(tag)),
    requestText: text.length > MAX_BODY_CHARS ? JSON.stringify(shortenRequest(request)) : text,
  };
}

/**
 * Derives the ID of a response to be stored. With an idempotency key, the same answer to the same key of the same person
 * has the same ID, so that a reload, double click or retry is stored once. Another answer is another response.
 */
export function deriveResponseId(
  actorId: string,
  userId: string,
  idempotencyKey: string | null,
  { status, text, bytes }: Pick<SavedAnswer, "status" | "text" | "bytes">,
): string {
  if (idempotencyKey === null) return createResponseId();
  const source = JSON.stringify([actorId, userId, idempotencyKey, status, text.length]);
  const body = bytes ?? text.slice(0, MAX_BODY_CHARS);
  return createHash("sha256").update(source).update(body).digest("hex").slice(0, 32);
}

/** Builds the response to store. `answer` is null when a live piece was settled without one. */
export function buildAutoResponse(
  owner: Pick<NewResponse, "id" | "userId" | "actorId" | "sendId">,
  call: SavedCall,
  answer: SavedAnswer | null,
): NewResponse {
  const body = answer && toStoredBody(answer.text, answer.bytes, answer.isJson);
  return {
    ...owner,
    ...call,
    kind: "auto",
    statusCode: answer?.status ?? null,
    durationMs: answer?.durationMs ?? null,
    responseText: body?.text ?? null,
    responseBytes: body?.bytes ?? null,
    headersText: JSON.stringify(answer?.headers ?? {}),
  };
}

/**
 * Runs a save after the answer was sent to the browser. Logs a failure, because no one waits for the result.
 * @param chars size of the save in memory
 */
export function saveInBackground(chars: number, work: () => Promise<Outcome<unknown>>): void {
  const isTooMuch = underWay.size > 0 && waitingChars + chars > MOST_WAITING.chars;
  if (isTooMuch || underWay.size >= MOST_WAITING.answers) {
    log.warn("responses.save_skipped", { reason: "too many responses wait for the database" });
    return;
  }
  waitingChars += chars;
  const done = endOfTick()
    .then(work)
    .then(
      (saved) => {
        if (!saved.ok) log.warn("responses.save_failed", { failureCode: saved.failure.code });
      },
      (error) => log.error("responses.save_failed", { errorName: errorNameOf(error) }),
    )
    .finally(() => {
      underWay.delete(done);
      waitingChars -= chars;
    });
  underWay.add(done);
  void finishBeforeExit(done);
}

/** Waits up to 1 s for the saves of this process, so that a caller finds the answer that it just received. */
export async function waitForSaves(): Promise<void> {
  if (underWay.size === 0) return;
  await Promise.race([Promise.all(underWay), wait(MOST_READ_WAIT_MS, null, { ref: false })]);
}

/** Replaces the query and body of a request that is too long even without its files by a sentence. */
function shortenRequest(request: StoredRequest): StoredRequest {
  const chars = JSON.stringify([request.query, request.body]).length.toLocaleString("en");
  const body = `[not kept: query and body have ${chars} characters, more than ${MAX_BODY_CHARS.toLocaleString("en")}]`;
  return JSON.parse(maskKey(JSON.stringify({ ...request, query: {}, body }))) as StoredRequest;
}

const FIRST_WAIT_MS = 20;

/**
 * Waits until an automatically saved response is stored, because saving starts only after the answer was sent. False
 * after `limitMs`, and when the database cannot be read.
 */
export async function waitForSaved(id: string, limitMs: number): Promise<boolean> {
  const until = performance.now() + limitMs;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
    const found = await withDatabase(
      (db) => db.$queryRaw<unknown[]>`SELECT 1 FROM responses WHERE id = ${id} AND deleted_at IS NULL`,
    );
    if (!found.ok) return false;
    if (found.value.length > 0) return true;
    if (performance.now() + waitMs > until) return false;
    await wait(waitMs);
  }
}

const OTHER_CATEGORY = "objects";

/**
 * Finds category and preset of a request: the preset it was made from if it still fits, else another one that makes
 * the same request, else `custom` in the category that its path names, or "objects".
 * @param path relative to the base URL, without `.json`
 */
export function selectEndpoint(
  method: string,
  path: string,
  presetId: string | null,
): Pick<NewResponse, "category" | "preset"> {
  const named = presetId === null ? null : findPreset(presetId);
  const preset = named && isCallOf(named, method, path) ? named : findPresetForCall(method, path);
  if (preset) return { category: preset.categoryId, preset: preset.id };
  const first = path.split("/")[0]?.toLowerCase();
  const category = CATEGORIES.find(({ id }) => id === first)?.id ?? OTHER_CATEGORY;
  return { category, preset: CUSTOM.id };
}
