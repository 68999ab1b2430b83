import { type CodeValue, FileName } from "./code-request";

/** How a language writes values. */
export interface Syntax {
  text: (text: string) => string;
  file: (name: string) => string;
  pair: (key: string, value: string) => string;
  object: [open: string, close: string];
  list: [open: string, close: string];
  emptyObject: string;
  words: Record<"true" | "false" | "null", string>;
  /** After the last element of several lines. */
  lastComma: string;
}

/** A value as the language writes it, over several lines and indented. */
export function writeLiteral(value: CodeValue, syntax: Syntax, indent: string): string {
  if (value instanceof FileName) return syntax.file(value.name);
  if (typeof value === "string") return syntax.text(value);
  if (typeof value === "number") return String(value);
  if (value === null || typeof value === "boolean") return syntax.words[`${value}`];
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => writeLiteral(item, syntax, inner))
    : Object.entries(value).map(([key, item]) => syntax.pair(key, writeLiteral(item, syntax, inner)));
  const [open, close] = isList ? syntax.list : syntax.object;
  if (items.length === 0) return isList ? open + close : syntax.emptyObject;
  return `${open}\n${items.map((item) => inner + item).join(",\n")}${syntax.lastComma}\n${indent}${close}`;
}
