import { useMemo } from "react";
import {
  type ExactBranch,
  type ExactJson,
  isBranch,
  JsonNumber,
  listMembers,
  parseExact,
  summarise,
} from "./exact-json";

/** Larger trees show only the first children of their open levels, so that a 5 MB response does not freeze the page. */
const MOST_NODES = 2_000;
const FIRST_CHILDREN = 100;
const OPEN_DEPTH = 2;
const STRING_CHARS = 2_000;

/** A JSON text as a collapsible tree that works without JavaScript. */
export function JsonTree({ text }: { text: string }) {
  const value = useMemo(() => parseExact(text) ?? text, [text]);
  const whole = useMemo(() => countNodes(value, MOST_NODES) <= MOST_NODES, [value]);
  return (
    <div className="wire p-4 leading-5">
      <JsonNode name={null} value={value} depth={0} whole={whole} />
    </div>
  );
}

interface NodeProps {
  name: string | null;
  value: ExactJson;
  depth: number;
  whole: boolean;
}

function JsonNode({ name, value, depth, whole }: NodeProps) {
  if (!isBranch(value)) {
    return (
      <div className="pl-4">
        <Name name={name} />
        <JsonScalar value={value} />
      </div>
    );
  }
  const isList = Array.isArray(value);
  const members = listMembers(value);
  const size = members.length;
  const word = isList ? "item" : "key";
  const visible = whole ? members : members.slice(0, depth < OPEN_DEPTH ? FIRST_CHILDREN : 0);
  return (
    <details open={depth < OPEN_DEPTH}>
      <summary className="list-none [&::-webkit-details-marker]:hidden">
        <span aria-hidden className="inline-block w-4 text-dim">
          <span className="in-[[open]>summary]:hidden">▸</span>
          <span className="not-in-[[open]>summary]:hidden">▾</span>
        </span>
        <Name name={name} />
        <span className="text-dim">
          {isList ? "[" : "{"} {size} {size === 1 ? word : `${word}s`}
          <span className="in-[[open]>summary]:hidden">
            {isList ? " ]" : " }"} {summarise(value)}
          </span>
        </span>
      </summary>
      <div className="ml-2 border-line border-l pl-2">
        {visible.map(([key, child], index) => (
          <JsonNode
            // biome-ignore lint/suspicious/noArrayIndexKey: a name may come twice
            key={index}
            name={isList ? null : String(key)}
            value={child}
            depth={depth + 1}
            whole={whole}
          />
        ))}
        {size > visible.length ? <p className="pl-4 text-dim">{size - visible.length} more</p> : null}
      </div>
      <div className="pl-4 text-dim">{isList ? "]" : "}"}</div>
    </details>
  );
}

function Name({ name }: { name: string | null }) {
  return name === null ? null : (
    <>
      <span className="json-key">{name}</span>
      {": "}
    </>
  );
}

/** Only http and https addresses become links, not `javascript:`. */
const ADDRESS = /^https?:\/\/[^\s"'<>]+$/;

function JsonScalar({ value }: { value: Exclude<ExactJson, ExactBranch> }) {
  if (typeof value === "string" && value.length <= STRING_CHARS && ADDRESS.test(value)) {
    return (
      <a className="json-string link" href={value} target="_blank" rel="noopener noreferrer">
        {JSON.stringify(value)}
      </a>
    );
  }
  if (typeof value === "string") {
    const cut = value.length > STRING_CHARS;
    return (
      <span className="json-string">
        {JSON.stringify(cut ? value.slice(0, STRING_CHARS) : value)}
        {cut ? <span className="text-dim"> … {value.length.toLocaleString("en")} characters</span> : null}
      </span>
    );
  }
  if (value instanceof JsonNumber) return <span className="json-number">{value.text}</span>;
  return <span className="json-literal">{String(value)}</span>;
}

/** Counts the values of a tree up to `limit`. */
function countNodes(value: ExactJson, limit: number): number {
  let count = 0;
  const waiting: ExactJson[] = [value];
  while (waiting.length > 0 && count <= limit) {
    const next = waiting.pop();
    count += 1;
    if (!isBranch(next)) continue;
    for (const [, child] of listMembers(next).slice(0, limit)) waiting.push(child);
  }
  return count;
}
