import { describeAnswer, formatFile, START_BYTES } from "~/outside/mail-provider/call/file-type";
import { parseJson } from "~/platform/json-value";
import { type Outcome, succeed } from "~/platform/outcome";
import type { ResponseRow } from "./response-row.server";
import { NOT_STORED, readBodyText } from "./save/body-text";
import { loadResponseRow } from "./search/list-responses.server";

/** A stored answer as it came, with its type and name for the browser. */
export interface StoredAnswer {
  bytes: Uint8Array<ArrayBuffer>;
  /** Media type. */
  type: string;
  /** File name. */
  name: string;
  /** True when its text is not shown. */
  isFile: boolean;
}

export function toStoredAnswer(row: ResponseRow): StoredAnswer {
  const text = readBodyText(row.response_data ?? null);
  const bytes = new Uint8Array(row.response_bytes ?? Buffer.from(text));
  if (text.endsWith(NOT_STORED)) return { bytes, type: "text/plain", name: "response.txt", isFile: false };
  const start = Buffer.from(bytes.subarray(0, START_BYTES)).toString("latin1");
  const headers = parseJson(row.response_headers ?? "{}") as Record<string, string>;
  return { bytes, ...describeAnswer(start, headers), isFile: text === formatFile(bytes.length) };
}

/** Loads a stored answer. Fails with `not_found`, or as the database does. */
export async function loadStoredAnswer(id: string): Promise<Outcome<StoredAnswer>> {
  const found = await loadResponseRow(id);
  return found.ok ? succeed(toStoredAnswer(found.value)) : found;
}
