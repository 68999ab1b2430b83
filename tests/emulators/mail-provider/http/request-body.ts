import { expandBrackets, type Fields } from "./fields";

/** The bytes do not fit the content type they claim. */
export class MalformedBody extends Error {}

/**
 * Decodes a body by its content type: form with brackets, or JSON. Any other content type carries no fields, as in PHP.
 * @throws MalformedBody
 */
export function decodeBody(contentType: string, raw: Buffer): Fields {
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (raw.length === 0) return {};
  if (mediaType === "application/x-www-form-urlencoded") {
    return expandBrackets(new URLSearchParams(raw.toString("utf8")));
  }
  if (mediaType !== "application/json") return {};
  try {
    const parsed: unknown = JSON.parse(raw.toString("utf8"));
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as Fields) : {};
  } catch {
    throw new MalformedBody("The request body is not valid JSON");
  }
}
