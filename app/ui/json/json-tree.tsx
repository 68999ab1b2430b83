import { useState } from "react";
import { useHydrated } from "../use-hydrated";

/** Children shown at once. The rest follows on demand, so that a 5 MB response does not freeze the page. */
const CHUNK = 100;
/** Trees up to this size are complete in the server's HTML, because nothing can be loaded later without JavaScript. */
const EAGER_NODES = 2_000;
const OPEN_DEPTH = 2;
const STRING_CHARS = 2_000;

/** A JSON value as a collapsible tree. */
export function JsonTree({ value }: { value: unknown }) {
  const hydrated = useHydrated();
  const [eager] = useState(() => countNodes(value, EAGER_NODES) <= EAGER_NODES);
  return (
    <div className="wire p-4 leading-5">
      <JsonNode name={null} value={value} depth={0} eager={eager && !hydrated} />
    </div>
  );
}

interface NodeProps {
  name: string | null;
  value: unknown;
  depth: number;
  eager: boolean;
}

function JsonNode({ name, value, depth, eager }: NodeProps) {
  if (typeof value !== "object" || value === null) {
    return (
      <div className="pl-4">
        <Name name={name} />
        <JsonScalar value={value} />
      </div>
    );
  }
  return <JsonBranch name={name} value={value} depth={depth} eager={eager} />;
}

function JsonBranch({ name, value, depth, eager }: NodeProps & { value: object }) {
  const [open, setOpen] = useState(depth < OPEN_DEPTH);
  const [shown, setShown] = useState(CHUNK);
  const isList = Array.isArray(value);
  const entries = open || eager ? Object.entries(value) : [];
  const size = isList ? value.length : Object.keys(value).length;
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
        {visible.map(([key, child]) => (
          <JsonNode key={key} name={isList ? null : key} value={child} depth={depth + 1} eager={eager} />
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

function JsonScalar({ value }: { value: unknown }) {
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
  return <span className={typeof value === "number" ? "json-number" : "json-literal"}>{String(value)}</span>;
}

const SUMMARY_KEYS = /^(id|status|size|city|label|title|.*name)$/i;

/** The summary of a closed object: a few values that identify it. */
function summarise(value: object): string {
  if (Array.isArray(value)) return "";
  const short = Object.entries(value).filter(
    ([key, child]) => SUMMARY_KEYS.test(key) && child !== "" && ["string", "number"].includes(typeof child),
  );
  return short
    .slice(0, 4)
    .map(([, child]) => String(child).slice(0, 40))
    .join(" ");
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}

/** How many values a tree holds; stops counting above `limit`. */
function countNodes(value: unknown, limit: number): number {
  let count = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && count <= limit) {
    const next = waiting.pop();
    count += 1;
    if (typeof next !== "object" || next === null) continue;
    for (const child of Object.values(next).slice(0, limit)) waiting.push(child);
  }
  return count;
}
