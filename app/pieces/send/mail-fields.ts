import { parseInlineRecipient } from "~/outside/mail-provider/request-fields";
import { dropSendTags } from "../send-tag";

type Fields = Record<string, unknown>;

/** Content fields by call. */
const CONTENT: Readonly<Record<string, readonly string[]>> = {
  "postcards/create": ["template", "front", "back", "message"],
  "letters/create": ["template", "file", "pages", "background"],
  "letters/post": ["file", "pdf"],
};
/** Calls whose file has the recipient's address. */
const ADDRESSED_BY_FILE = ["letters/post"];

/**
 * Unifies the fields of a letter or postcard: one list of tags and at most one idempotency key, in any spelling. The
 * provider reads `tags[0]` as part of `tags`, and would lose one of them. Drops tags of our sends, which come with
 * requests copied from an answer.
 */
export function unifyMailFields(fields: Fields): Fields {
  const kept: Fields = {};
  const tags: unknown[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const stem = stemOf(name);
    if (stem === "tags") tags.push(...listValues(value));
    else if (stem !== "idempotency_key" || name === stem) kept[name] = value;
  }
  const text = dropSendTags(tags.join(","));
  return text === "" ? kept : { ...kept, tags: text };
}

/** Finds the part that live mail needs and these fields lack; null when nothing is missing. */
export function findMissing(path: string, fields: Fields): "recipient" | "content" | null {
  const stems = new Set(
    Object.entries(fields)
      .filter(([, value]) => !isEmpty(value))
      .map(([name]) => stemOf(name)),
  );
  const { recipient } = fields;
  const isNamed =
    typeof recipient === "object" || recipient === undefined ? isInline(fields) : !isEmpty(recipient);
  if (!ADDRESSED_BY_FILE.includes(path) && !isNamed) return "recipient";
  const content = CONTENT[path];
  return content === undefined || content.some((name) => stems.has(name)) ? null : "content";
}

function isInline(fields: Fields): boolean {
  return Object.values(parseInlineRecipient(fields)).some((value) => !isEmpty(value));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).every(isEmpty);
  return value === undefined || value === null || value === false || String(value).trim() === "";
}

/**
 * Finds the name under which the provider reads a field. It runs PHP, which reads `tags[0]`, ` tags` and
 * `idempotency.key[x]` as parts of `tags` and `idempotency_key`.
 */
function stemOf(name: string): string {
  return (name.trimStart().split("[")[0] ?? "").replace(/[ .]/g, "_").toLowerCase();
}

function listValues(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [value ?? ""];
  return Object.values(value).flatMap(listValues);
}
