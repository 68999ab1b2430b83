import { createHash } from "node:crypto";
import { maskKey } from "~/outside/mail-provider/mask.server";
import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import { withDatabase } from "~/platform/database/database.server";
import { errorNameOf, log } from "~/platform/log.server";
import type { Outcome } from "~/platform/outcome";
import { createResponseId, insertResponse, type NewResponse } from "../response-record.server";
import type { StoredRequest } from "../stored-response";
import { MAX_BODY_CHARS, toBodyText } from "./body-text";
import { selectEndpoint } from "./endpoint.server";
import { stripFiles } from "./strip-files.server";

/** The automatic save (spec §4 Saving), which the send pipeline does for whoever is signed in. */

/** What was asked, in the words of the catalogue; masked, its files elided. */
export interface SavedCall {
  category: string;
  preset: string;
  method: string;
  path: string;
  tags: string[];
  /** JSON text of a `StoredRequest`. */
  requestText: string;
}

/** A call as its response will be stored. */
export interface CallToSave {
  request: StoredRequest;
  presetId: string | null;
  tags: string[];
}

/** The provider's answer, masked. */
export interface SavedAnswer {
  status: number;
  text: string;
  headers: Record<string, string>;
  durationMs: number;
}

const AUTO_TAG = "auto-saved";
/** What may wait for the database at the same time, in answers and in their characters. */
const MOST_WAITING = { answers: 256, chars: 64 * 1024 * 1024 };
const waiting = { answers: 0, chars: 0 };

/** Brings a request into the form in which it is kept. */
export async function toSavedCall({ request, presetId, tags }: CallToSave): Promise<SavedCall> {
  const { category, preset } = selectEndpoint(request.method, request.path, presetId);
  const text = maskKey(JSON.stringify(await stripFiles(request)));
  return {
    category,
    preset,
    method: request.method,
    path: maskKey(request.path),
    tags: tags.length === 0 ? [AUTO_TAG] : tags.map((tag) => maskKey(tag)),
    requestText: text.length > MAX_BODY_CHARS ? JSON.stringify(cutRequest(request)) : text,
  };
}

/**
 * The id under which an answer is kept. With an idempotency key the same answer to the same key of the same person
 * is one response, however often it is asked for (reload, double click, retry); another answer is another response.
 */
export function deriveResponseId(
  actorId: string,
  userId: string,
  idempotencyKey: string | null,
  { status, text }: Pick<SavedAnswer, "status" | "text">,
): string {
  if (idempotencyKey === null) return createResponseId();
  const about = JSON.stringify([actorId, userId, idempotencyKey, status, text.length]);
  return createHash("sha256").update(about).update(text.slice(0, MAX_BODY_CHARS)).digest("hex").slice(0, 32);
}

/** An automatic row. `answer` is null where a live send was settled without one. */
export function buildAutoResponse(
  { id, userId, actorId, sendId }: Pick<NewResponse, "id" | "userId" | "actorId" | "sendId">,
  { category, preset, method, path, tags, requestText }: SavedCall,
  answer: SavedAnswer | null,
): NewResponse {
  return {
    id,
    userId,
    actorId,
    sendId,
    kind: "auto",
    category,
    preset,
    method,
    path,
    statusCode: answer?.status ?? null,
    durationMs: answer?.durationMs ?? null,
    tags,
    requestText,
    responseText: answer && toBodyText(answer.text),
    headersText: JSON.stringify(answer?.headers ?? {}),
  };
}

/** Keeps a response; somebody who is not stored gives way to the viewer, whose own record is made at need. */
export async function saveAutoResponse(response: NewResponse, viewer: Viewer): Promise<Outcome<null>> {
  return withDatabase(async (db) => {
    if ((await insertResponse(db, response)).known) return null;
    await ensureViewerStored(db, viewer);
    // The actor may be the user, and stored only now.
    const own = (await insertResponse(db, response)).known;
    if (!own) await insertResponse(db, { ...response, userId: viewer.id });
    return null;
  });
}

/**
 * Does the work of a save once the answer that waits before it is on its way. What goes wrong is logged: the answer
 * was given, and nobody is there to be told.
 * @param chars what the work holds in memory until then
 */
export function saveInBackground(chars: number, work: () => Promise<Outcome<unknown>>): void {
  const fits = waiting.answers === 0 || waiting.chars + chars <= MOST_WAITING.chars;
  if (!fits || waiting.answers >= MOST_WAITING.answers) {
    log.warn("a response was not stored", { reason: "too much is waiting for the database" });
    return;
  }
  waiting.answers++;
  waiting.chars += chars;
  const run = async () => {
    try {
      const done = await work();
      if (!done.ok) log.warn("a response was not stored", { reason: done.failure.code });
    } catch (error) {
      log.error("a response was not stored", { errorName: errorNameOf(error) });
    } finally {
      waiting.answers--;
      waiting.chars -= chars;
    }
  };
  setImmediate(() => void run());
}

/** A request that is too long even without its files keeps what can be told of it. */
function cutRequest(request: StoredRequest): StoredRequest {
  const size = JSON.stringify([request.query, request.body]).length.toLocaleString("en");
  const body = `[not kept: query and body had ${size} characters, and Mailroom keeps ${MAX_BODY_CHARS.toLocaleString("en")}]`;
  return JSON.parse(maskKey(JSON.stringify({ ...request, query: {}, body }))) as StoredRequest;
}
