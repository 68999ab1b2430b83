import { useMemo, useState } from "react";
import { useHydrated } from "../use-hydrated";
import {
  type ExactBranch,
  type ExactJson,
  isBranch,
  JsonNumber,
  listMembers,
  parseExact,
  summarise,
} from "./exact-json";

/** Children shown at once. The rest follows on demand, so that a 5 MB response does not freeze the page. */
const CHUNK = 100;
/** Trees up to this size are complete in the server's HTML, because nothing can be loaded later without JavaScript. */
const EAGER_NODES = 2_000;
const OPEN_DEPTH = 2;
const STRING_CHARS = 2_000;

/** A JSON text as a collapsible tree. */
export function JsonTree({ text }: { text: string }) {
  const hydrated = useHydrated();
  const value = useMemo(() => parseExact(text) ?? text, [text]);
  const [eager] = useState(() => countNodes(value, EAGER_NODES) <= EAGER_NODES);
  return (
    <div className="wire p-4 leading-5">
      <JsonNode name={null} value={value} depth={0} eager={eager && !hydrated} />
    </div>
  );
}

interface NodeProps {
  name: string | null;
  value: ExactJson;
  depth: number;
  eager: boolean;
}

function JsonNode({ name, value, depth, eager }: NodeProps) {
  if (!isBranch(value)) {
    return (
      <div className="pl-4">
        <Name name={name} />
        <JsonScalar value={value} />
      </div>
    );
  }
  return <JsonBranch name={name} value={value} depth={depth} eager={eager} />;
}

function JsonBranch({ name, value, depth, eager }: NodeProps & { value: ExactBranch }) {
  const [open, setOpen] = useState(depth < OPEN_DEPTH);
  const [shown, setShown] = useState(CHUNK);
  const isList = Array.isArray(value);
  const members = listMembers(value);
  const size = members.length;
  const entries = open || eager ? members : [];
  const visible = eager ? entries : entries.slice(0, shown);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="group/node">
      <summary className="list-none [&::-webkit-details-marker]:hidden">
        <span aria-hidden className="inline-block w-4 text-dim">
          {open ? "▾" : "▸"}
        </span>
        <Name name={name} />
        <span className="text-dim">
          {isList ? "[" : "{"} {size} {isList ? plural(size, "item") : plural(size, "key")}
          {open ? "" : isList ? " ]" : " }"} {open ? "" : summarise(value)}
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
            eager={eager}
          />
        ))}
        {entries.length > visible.length ? (
          <button
            type="button"
            className="link needs-script pl-4 text-dim"
            onClick={() => setShown(shown + CHUNK)}
          >
            {entries.length - visible.length} more
          </button>
        ) : null}
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

/** Only http(s) URLs become links. Anything else, such as `javascript:`, stays text. */
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

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}

/** How many values a tree holds; stops counting above `limit`. */
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
