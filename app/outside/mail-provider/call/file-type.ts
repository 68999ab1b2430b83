import { formatInteger } from "~/platform/format-integer";

/** First bytes of file types, as Latin-1 text. */
const STARTS: readonly [start: string, type: string][] = [
  ["%PDF-", "application/pdf"],
  ["\x89PNG\r\n", "image/png"],
  ["\xff\xd8\xff", "image/jpeg"],
  ["GIF87a", "image/gif"],
  ["GIF89a", "image/gif"],
  ["PK\x03\x04", "application/zip"],
  ["\x1f\x8b\x08", "application/gzip"],
];
const EXTENSIONS: Record<string, string> = {
  "image/jpeg": "jpg",
  "image/svg+xml": "svg",
  "application/gzip": "gz",
  "text/plain": "txt",
  "application/octet-stream": "bin",
};
export const START_BYTES = 16;

/** Finds the media type of a file by its first bytes; null when unknown. @param start Latin-1 text */
export function findFileType(start: string): string | null {
  if (start.startsWith("RIFF") && start.slice(8, 12) === "WEBP") return "image/webp";
  return STARTS.find(([known]) => start.startsWith(known))?.[1] ?? null;
}

export function formatFile(bytes: number): string {
  return `binary, ${formatInteger(bytes)} bytes`;
}

/** Finds the media type and file name of an answer, by its first bytes, then by its headers. */
export function describeAnswer(
  start: string,
  headers: Record<string, string>,
): { type: string; name: string } {
  const named = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
  const type = findFileType(start) ?? (/^[\w.+-]+\/[\w.+-]+$/.test(named) ? named : guessType(start));
  const extension = EXTENSIONS[type] ?? type.replace(/^.*[/+]/, "");
  const fileName = /filename="?([^";\r\n]+)/i.exec(headers["content-disposition"] ?? "")?.[1]?.trim();
  // Without folders, and without characters that would end the name in a header.
  return { type, name: fileName?.replace(/[^\w. ()-]/g, "_") || `response.${extension}` };
}

/** Guesses the type of an answer without a content type. */
function guessType(start: string): string {
  if (/^\s*[[{"]/.test(start)) return "application/json";
  const isText = [...start].every((char) => char >= " " || /\s/.test(char));
  return isText ? "text/plain" : "application/octet-stream";
}
