import { type ComponentType, useEffect, useMemo, useState } from "react";
import { type ExactJson, isBranch, listMembers, parseExact, summarise } from "./exact-json";
import { BranchSize, isAddress, LineName, Scalar } from "./json-line";
import { toRoot, walkRows } from "./tree-rows";

/** Larger trees show only the first children of their open levels, so that a 5 MB response does not freeze the page. */
const MOST_NODES = 2_000;
const FIRST_CHILDREN = 100;
const OPEN_DEPTH = 2;

type JsonProps = { text: string; label: string };

/** A JSON text with find, filter and table, which are loaded after hydration. Until then, and without JavaScript, it is a tree. */
export function JsonView({ text, label }: JsonProps) {
  const [Viewer, setViewer] = useState<ComponentType<JsonProps> | null>(null);
  const hasParts = /^\s*[[{]/.test(text);
  useEffect(() => {
    if (!hasParts) return;
    import("./json-viewer").then(
      ({ JsonViewer }) => setViewer(() => JsonViewer),
      // The tree stays.
      () => {},
    );
  }, [hasParts]);
  return Viewer && hasParts ? <Viewer text={text} label={label} /> : <JsonTree text={text} />;
}

/** A JSON text as a collapsible tree that works without JavaScript. */
export function JsonTree({ text }: { text: string }) {
  const value = useMemo(() => parseExact(text) ?? text, [text]);
  const isWhole = useMemo(() => !exceeds(value, MOST_NODES), [value]);
  return (
    <div className="wire p-4 leading-5">
      <JsonNode name={null} value={value} depth={0} isWhole={isWhole} />
    </div>
  );
}

function exceeds(value: ExactJson, limit: number): boolean {
  let count = 0;
  for (const _ of walkRows(toRoot(value), () => true)) if (++count > limit) return true;
  return false;
}

interface NodeProps {
  name: string | number | null;
  value: ExactJson;
  depth: number;
  isWhole: boolean;
}

function JsonNode({ name, value, depth, isWhole }: NodeProps) {
  if (!isBranch(value)) {
    const scalar = <Scalar value={value} />;
    return (
      <div className="pl-4">
        <LineName name={name} />
        {isAddress(value) ? (
          <a className="link" href={value} target="_blank" rel="noopener noreferrer">
            {scalar}
          </a>
        ) : (
          scalar
        )}
      </div>
    );
  }
  const members = listMembers(value);
  const visible = isWhole ? members : members.slice(0, depth < OPEN_DEPTH ? FIRST_CHILDREN : 0);
  return (
    <details open={depth < OPEN_DEPTH}>
      <summary className="list-none [&::-webkit-details-marker]:hidden">
        <span aria-hidden className="inline-block w-4 text-dim">
          <span className="in-[[open]>summary]:hidden">▸</span>
          <span className="not-in-[[open]>summary]:hidden">▾</span>
        </span>
        <LineName name={name} />
        <BranchSize value={value} />
        <span className="text-dim in-[[open]>summary]:hidden">{summarise(value)}</span>
      </summary>
      <div className="ml-2 border-line border-l pl-2">
        {visible.map(([key, child], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may come twice
          <JsonNode key={index} name={key} value={child} depth={depth + 1} isWhole={isWhole} />
        ))}
        {members.length > visible.length ? (
          <p className="pl-4 text-dim">{members.length - visible.length} more</p>
        ) : null}
      </div>
    </details>
  );
}
