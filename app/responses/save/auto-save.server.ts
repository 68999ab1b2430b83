import { createHash, webcrypto } from "node:crypto";
import { CATEGORIES } from "~/catalogue/categories";
import { findPreset, findPresetForCall, isCallOf } from "~/catalogue/presets";
import { CUSTOM } from "~/catalogue/types";
import type { ProviderAnswer } from "~/outside/mail-provider/call/client.server";
import { maskKey } from "~/outside/mail-provider/call/keys.server";
import { formatInteger } from "~/platform/format-integer";
import { createResponseId, type NewResponse } from "../response-record.server";
import type { StoredRequest, StrippedFile } from "../stored-response";
import { MAX_BODY_CHARS, toStoredBody } from "./body-text";

/** A request as it is stored: named as in the catalogue, secrets masked, files stripped. */
export type SavedCall = Pick<NewResponse, "category" | "preset" | "method" | "path" | "tags" | "requestText">;

export interface CallToSave {
  request: StoredRequest;
  presetId: string | null;
  tags: string[];
}

/** The provider's answer, masked. `isJson` is set when it is already known. */
type SavedAnswer = ProviderAnswer & { isJson?: boolean };

/** Masks a request and strips its files. */
export async function toSavedCall({ request, presetId, tags }: CallToSave): Promise<SavedCall> {
  const { category, preset } = findCategoryAndPreset(request.method, request.path, presetId);
  const text = maskKey(JSON.stringify(await stripFiles(request)));
  return {
    category,
    preset,
    method: request.method,
    path: maskKey(request.path),
    tags: tags.length === 0 ? ["auto-saved"] : tags.map((tag) => maskKey(tag)),
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

/** Replaces the query and body of a request that is too long even without its files by a sentence. */
function shortenRequest(request: StoredRequest): StoredRequest {
  const chars = formatInteger(JSON.stringify([request.query, request.body]).length);
  const body = `[not kept: query and body have ${chars} characters, more than ${formatInteger(MAX_BODY_CHARS)}]`;
  return JSON.parse(maskKey(JSON.stringify({ ...request, query: {}, body }))) as StoredRequest;
}

/**
 * Finds category and preset of a request: the preset it was made from if it still fits, else another one that makes
 * the same request, else `custom` in the category that its path names, or "objects".
 * @param path relative to the base URL, without `.json`
 */
export function findCategoryAndPreset(method: string, path: string, presetId: string | null) {
  const named = presetId === null ? null : findPreset(presetId);
  const preset = named && isCallOf(named, method, path) ? named : findPresetForCall(method, path);
  if (preset) return { category: preset.categoryId, preset: preset.id };
  const first = path.split("/")[0]?.toLowerCase();
  const category = CATEGORIES.find(({ id }) => id === first)?.id ?? "objects";
  return { category, preset: CUSTOM.id };
}

/** Smaller files are stored as they are. */
const MIN_FILE_BYTES = 4_096;
const MIN_FILE_CHARS = (MIN_FILE_BYTES / 3) * 4;

/**
 * Copies a value and replaces each text that is strict base64 of more than 4 KB by a `StrippedFile`. Hashes the files
 * outside the main thread.
 * @param value plain JSON of limited depth
 */
export async function stripFiles(value: unknown): Promise<unknown> {
  if (typeof value === "string") return (await stripFile(value)) ?? value;
  if (Array.isArray(value)) return Promise.all(value.map(stripFiles));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    async ([name, inner]) => [name, await stripFiles(inner)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

async function stripFile(text: string): Promise<StrippedFile | null> {
  if (text.length <= MIN_FILE_CHARS || text.length % 4 !== 0) return null;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  const file = Buffer.from(text, "base64");
  // The text could not be restored from its bytes.
  if (file.length <= MIN_FILE_BYTES || file.toString("base64") !== text) return null;
  const hash = await webcrypto.subtle.digest("SHA-256", file);
  return { elided: "base64", bytes: file.length, sha256: Buffer.from(hash).toString("hex") };
}
