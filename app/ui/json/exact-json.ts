import { skipScalar, skipString } from "~/platform/json-text";
import { parseJson } from "~/platform/json-value";

/** JSON with what `JSON.parse` loses: spelling of numbers, order and repeated names of members, `__proto__`. */
export type ExactJson = string | boolean | null | JsonNumber | ExactBranch;
export type ExactBranch = JsonObject | ExactJson[];

/** A number in its own spelling: `1.10`, `12345678901234567890`. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

export class JsonObject {
  constructor(readonly members: [name: string, value: ExactJson][]) {}
}

export function isBranch(value: unknown): value is ExactBranch {
  return value instanceof JsonObject || Array.isArray(value);
}

/** Parses JSON; undefined for other text. Not recursive, because the nesting may be deeper than the stack. */
export function parseExact(text: string): ExactJson | undefined {
  if (parseJson(text) === undefined) return undefined;
  const root: ExactJson[] = [];
  const open: ExactBranch[] = [root];
  let name: string | null = null;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "}" || char === "]") open.pop();
    if (char <= " " || ",:}]".includes(char)) continue;
    let value: ExactJson;
    if (char === "{") value = new JsonObject([]);
    else if (char === "[") value = [];
    else {
      const end = char === '"' ? skipString(text, at) : skipScalar(text, at);
      const token = text.slice(at, end);
      value = /^[-\d]/.test(token) ? new JsonNumber(token) : (JSON.parse(token) as string | boolean | null);
      at = end - 1;
    }
    const into = open.at(-1);
    if (Array.isArray(into)) into.push(value);
    else if (name === null) {
      name = String(value);
      continue;
    } else {
      into?.members.push([name, value]);
      name = null;
    }
    if (isBranch(value)) open.push(value);
  }
  return root[0];
}

/** Writes JSON text, without recursion. @param indent indent of each level; "" for one line */
export function writeExact(root: ExactJson, indent = ""): string {
  let text = "";
  const waiting: (string | { value: ExactJson; margin: string })[] = [
    { value: root, margin: indent === "" ? "" : "\n" },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string") text += next;
    else if (next.value instanceof JsonNumber) text += next.value.text;
    else if (!isBranch(next.value)) text += JSON.stringify(next.value);
    else {
      const { value, margin } = next;
      const inner = margin + indent;
      const [start, end] = Array.isArray(value) ? "[]" : "{}";
      const members = listMembers(value);
      text += start;
      waiting.push(members.length === 0 ? `${end}` : margin + end);
      for (const [at, [name, child]] of [...members.entries()].reverse()) {
        const before = typeof name === "string" ? `${JSON.stringify(name)}:${indent === "" ? "" : " "}` : "";
        waiting.push({ value: child, margin: inner }, (at === 0 ? "" : ",") + inner + before);
      }
    }
  }
  return text;
}

/** Formats a value without children for people. */
export function writeScalar(value: Exclude<ExactJson, ExactBranch>): string {
  return value instanceof JsonNumber ? value.text : String(value);
}

export function listMembers(value: ExactBranch): [key: string | number, child: ExactJson][] {
  return Array.isArray(value) ? value.map((item, index) => [index, item]) : value.members;
}

const SUMMARY_NAMES = /^(id|status|size|city|label|title|.*name)$/i;

/** Summarises a closed object by up to four values that identify it. */
export function summarise(value: ExactBranch): string {
  if (Array.isArray(value)) return "";
  return value.members
    .flatMap(([name, child]) =>
      SUMMARY_NAMES.test(name) && (child instanceof JsonNumber || (typeof child === "string" && child !== ""))
        ? [writeScalar(child).slice(0, 40)]
        : [],
    )
    .slice(0, 4)
    .join(" ");
}
