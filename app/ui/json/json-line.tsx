import type { ReactNode } from "react";
import { formatInteger } from "~/platform/format-integer";
import { type ExactBranch, type ExactJson, JsonNumber, listMembers, writeScalar } from "./exact-json";

/** Parts of a line of JSON. `words` are marked; "" for none. */

const TEXT_CHARS = 2_000;

export function LineName({ name, words = "" }: { name: string | number | null; words?: string }) {
  if (name === null) return null;
  if (typeof name === "number") return <span className="text-dim">{name}: </span>;
  return (
    <>
      <span className="json-key">
        <Marked text={name} words={words} />
      </span>
      {": "}
    </>
  );
}

/** `[ 3 items ]` */
export function BranchSize({ value }: { value: ExactBranch }) {
  const [start, word, end] = Array.isArray(value) ? ["[", "item", "]"] : ["{", "key", "}"];
  const size = listMembers(value).length;
  return (
    <span className="text-dim">
      {start} {formatInteger(size)} {size === 1 ? word : `${word}s`} {end}{" "}
    </span>
  );
}

/** A value without children. A long text is cut. */
export function Scalar({ value, words = "" }: { value: Exclude<ExactJson, ExactBranch>; words?: string }) {
  if (typeof value !== "string") {
    return (
      <span className={value instanceof JsonNumber ? "json-number" : "json-literal"}>
        <Marked text={writeScalar(value)} words={words} />
      </span>
    );
  }
  return (
    <span className="json-string">
      <Marked text={JSON.stringify(cutAround(value, words, TEXT_CHARS))} words={words} />
      {value.length > TEXT_CHARS ? (
        <span className="text-dim"> … {formatInteger(value.length)} characters</span>
      ) : null}
    </span>
  );
}

/** True for texts that may become links: only http and https addresses, not `javascript:`. */
export function isAddress(value: ExactJson): value is string {
  return typeof value === "string" && /^https?:\/\/[^\s"'<>]+$/.test(value);
}

/** Cuts a long text to the part around the words, or to its start without them. */
export function cutAround(text: string, words: string, chars: number): string {
  if (text.length <= chars) return text;
  const at = words === "" ? -1 : text.toLowerCase().indexOf(words.toLowerCase());
  const from = at + words.length < chars ? 0 : at - Math.floor(chars / 4);
  const end = from + chars;
  return `${from > 0 ? "…" : ""}${text.slice(from, end)}${end < text.length ? "…" : ""}`;
}

export function Marked({ text, words }: { text: string; words: string }) {
  const wanted = words.toLowerCase();
  const plain = text.toLowerCase();
  // Letters that are longer in lower case would shift the marks.
  if (wanted === "" || plain.length !== text.length || !plain.includes(wanted)) return text;
  const parts: ReactNode[] = [];
  let from = 0;
  for (let at = plain.indexOf(wanted); at !== -1; at = plain.indexOf(wanted, from)) {
    const to = at + wanted.length;
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, to)}</mark>);
    from = to;
  }
  return [...parts, text.slice(from)];
}
