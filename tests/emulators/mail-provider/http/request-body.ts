import { expandBrackets, type Fields, UploadedFile } from "./fields";

/** The bytes do not fit the content type they claim. */
export class MalformedBody extends Error {}

const MAX_JSON_DEPTH = 64;

/**
 * Decodes a body by its content type: form with brackets, JSON, or multipart. Any
 * other content type carries no fields, as in PHP.
 * @throws MalformedBody
 */
export async function decodeBody(contentType: string, raw: Buffer): Promise<Fields> {
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (raw.length === 0) return {};
  if (mediaType === "application/x-www-form-urlencoded") {
    return expandBrackets(new URLSearchParams(raw.toString("utf8")));
  }
  if (mediaType === "application/json") return decodeJson(raw.toString("utf8"));
  if (mediaType === "multipart/form-data") return decodeMultipart(contentType, raw);
  return {};
}

function decodeJson(text: string): Fields {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new MalformedBody("The request body is not valid JSON");
  }
  if (isDeeperThan(parsed, MAX_JSON_DEPTH)) throw new MalformedBody("The request body is nested too deeply");
  const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  return isObject ? (parsed as Fields) : {};
}

/** Level by level, so that a hostile depth cannot exhaust the stack. */
function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= limit; depth++) {
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return true;
}

async function decodeMultipart(contentType: string, raw: Buffer): Promise<Fields> {
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(raw), { headers: { "content-type": contentType } }).formData();
  } catch {
    throw new MalformedBody("The request body is not valid multipart/form-data");
  }
  const pairs: [string, string | UploadedFile][] = [];
  for (const [name, value] of form) {
    pairs.push([name, typeof value === "string" ? value : await readFile(value)]);
  }
  return expandBrackets(pairs);
}

async function readFile(file: File): Promise<UploadedFile> {
  return new UploadedFile(file.name, file.type, Buffer.from(await file.arrayBuffer()));
}
