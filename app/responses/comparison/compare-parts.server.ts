import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import type { Outcome } from "~/platform/outcome";
import { type ExactJson, JsonNumber, JsonObject, parseExact } from "~/ui/json/exact-json";
import type { ResponseRow } from "../response-row.server";
import { formatStrippedFile } from "../stored-response";
import { type Diff, diffJson } from "./json-diff";

/** Two responses with more JSON text are compared in another thread. */
const LARGE_CHARS = 100_000;

/** A compared part of two stored responses: their request, headers or bodies. */
export interface ComparisonPart extends Diff {
  title: string;
}

type Compared = ReturnType<typeof toCompared>;
type Pair = { a: Compared; b: Compared };

/** Compares two stored responses, in another thread when they are large. */
export function compareParts(a: ResponseRow, b: ResponseRow): Promise<Outcome<ComparisonPart[]>> {
  return doHeavyWork(COMPARE_PARTS, { a: toCompared(a), b: toCompared(b) });
}

export const COMPARE_PARTS: HeavyJob<Pair, ComparisonPart[]> = {
  name: "responses.compare",
  run: buildParts,
  isLarge: (pair) => JSON.stringify(pair).length > LARGE_CHARS,
  notDone: "The responses were not compared.",
};

function toCompared(row: ResponseRow) {
  const { status_code, duration_ms, request_data, response_headers, response_data } = row;
  return { status_code, duration_ms, request_data, response_headers, response_data };
}

function buildParts({ a, b }: Pair): ComparisonPart[] {
  const diff = (read: (response: Compared) => ExactJson) => diffJson(read(a), read(b));
  const parseRequest = ({ request_data }: Compared) => nameStrippedFiles(parse(request_data));
  return [
    {
      title: "Status and duration",
      ...diff(({ status_code: status, duration_ms }) => parse(JSON.stringify({ status, duration_ms }))),
    },
    // In a request nothing is volatile: an ID names its subject.
    { title: "Request", ...diffJson(parseRequest(a), parseRequest(b), () => false) },
    { title: "Response headers", ...diff(({ response_headers }) => parse(response_headers ?? "{}")) },
    { title: "Response body", ...diff(({ response_data }) => parse(response_data)) },
  ];
}

function parse(text: string | null | undefined): ExactJson {
  return parseExact(text ?? "null") ?? text ?? null;
}

/** Copies a value and replaces each stripped file by a sentence. */
function nameStrippedFiles(value: ExactJson): ExactJson {
  if (Array.isArray(value)) return value.map(nameStrippedFiles);
  if (!(value instanceof JsonObject)) return value;
  const { elided, bytes, sha256 } = Object.fromEntries(value.members);
  if (elided === "base64" && bytes instanceof JsonNumber && typeof sha256 === "string") {
    return formatStrippedFile(Number(bytes.text), sha256);
  }
  return new JsonObject(value.members.map(([name, item]) => [name, nameStrippedFiles(item)]));
}
