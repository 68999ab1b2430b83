import { useDeferredValue, useMemo, useState } from "react";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { CopyButton } from "../copy-button";
import { FileView } from "../file-view";
import { isBranch, parseExact, writeExact } from "./exact-json";
import { JsonFilter } from "./json-filter";
import { isAddress } from "./json-line";
import { findTable, JsonTable } from "./json-table";
import { RowList } from "./row-list";
import {
  findRows,
  isSameRow,
  listAncestors,
  listRows,
  MOST_FOUND,
  type Openness,
  type TreeRow,
  toRoot,
  writePath,
  writeValue,
} from "./tree-rows";

const OPEN_LEVEL = 2;
const LEVELS = [1, 2, 3, 4];

/** A JSON text with find, filter by JSONPath, tree, table and copy. */
export function JsonViewer(props: { text: string; label: string }) {
  // Another text starts without a filter.
  return <OneText key={props.text} {...props} />;
}

function OneText({ text, label }: { text: string; label: string }) {
  const whole = useMemo(() => toRoot(parseExact(text) ?? text), [text]);
  const [filtered, setFiltered] = useState<TreeRow | null>(null);
  const root = filtered ?? whole;
  return (
    <section aria-label={label} className="min-w-0">
      <JsonFilter text={text} value={whole.value} onFilter={setFiltered} />
      <Contents key={writePath(root)} root={root} label={label} />
    </section>
  );
}

function Contents({ root, label }: { root: TreeRow; label: string }) {
  const [openness, setOpenness] = useState<Openness>({ level: OPEN_LEVEL, changed: new Map() });
  const [chosen, setChosen] = useState(root);
  const [words, setWords] = useState("");
  const [wrap, setWrap] = useState(true);
  const [table, setTable] = useState<TreeRow | null>(null);
  const searched = useDeferredValue(words);
  const found = useMemo(() => (searched === "" ? [] : findRows(root, searched)), [root, searched]);
  const rows = useMemo(() => listRows(root, openness), [root, openness]);
  const tabular = useMemo(() => findTable(chosen) ?? findTable(root), [chosen, root]);

  const reveal = (row: TreeRow) => {
    const above = listAncestors(row);
    const opened = above.map((branch) => [branch, true] as const);
    setOpenness({ ...openness, changed: new Map([...openness.changed, ...opened]) });
    // Closes the table unless it contains the match.
    if (!above.some((branch) => branch === table?.value)) setTable(null);
    setChosen(row);
  };
  const go = (step: number) => {
    // The search of a large answer may not have finished for the newest words.
    const places = words === searched ? found : findRows(root, words);
    if (words === "" || places.length === 0) return;
    const at = places.findIndex((row) => isSameRow(row, chosen));
    // The first step goes to the first place.
    reveal(places[at === -1 ? 0 : (at + step + places.length) % places.length] as TreeRow);
  };
  const toggle = (row: TreeRow, open: boolean) => {
    if (!isBranch(row.value)) return;
    setOpenness({ ...openness, changed: new Map(openness.changed).set(row.value, open) });
  };
  const current = found.findIndex((row) => isSameRow(row, chosen)) + 1;
  const count = `${formatInteger(found.length)}${found.length === MOST_FOUND ? "+" : ""}`;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 px-4 py-2">
        <input
          type="text"
          aria-label={`Find in ${label.toLowerCase()}`}
          placeholder="Find"
          spellCheck={false}
          autoComplete="off"
          className="control w-36! flex-1 sm:max-w-56"
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            go(event.shiftKey ? -1 : 1);
          }}
        />
        <span role="status" className={searched === "" ? "sr-only" : "text-dim tabular-nums"}>
          {searched === "" ? "" : current === 0 ? `${count} found` : `${current} of ${count}`}
        </span>
        {(searched === "" ? [] : ["Previous", "Next"]).map((name) => (
          <button
            key={name}
            type="button"
            className="button button-quiet"
            disabled={found.length === 0}
            onClick={() => go(name === "Next" ? 1 : -1)}
          >
            {name}
          </button>
        ))}
        <span className="ml-auto flex flex-wrap items-center gap-x-2 gap-y-1.5">
          {table ? null : (
            <>
              <label className="flex items-center gap-1.5">
                <span className="text-dim">Open</span>
                <select
                  className="control w-auto!"
                  value={String(openness.level)}
                  onChange={({ target }) => setOpenness({ level: Number(target.value), changed: new Map() })}
                >
                  {LEVELS.map((level) => (
                    <option key={level} value={level}>
                      {formatCount(level, "level")}
                    </option>
                  ))}
                  <option value="Infinity">everything</option>
                </select>
              </label>
              <label className="flex items-center gap-1.5">
                <input type="checkbox" className="size-4" checked={wrap} onChange={() => setWrap(!wrap)} />{" "}
                Wrap
              </label>
            </>
          )}
          {tabular ? (
            <button
              type="button"
              className="button"
              aria-pressed={table !== null}
              onClick={() => setTable(table ? null : tabular)}
            >
              {table ? "Tree" : "Table"}
            </button>
          ) : null}
        </span>
      </div>
      {table ? (
        <JsonTable key={writePath(table)} table={table} chosen={chosen} words={searched} />
      ) : (
        <>
          <ChosenLine row={chosen} />
          <RowList
            rows={rows}
            chosen={chosen}
            words={searched}
            wrap={wrap}
            label={label}
            onChoose={setChosen}
            onToggle={toggle}
          />
        </>
      )}
    </>
  );
}

function ChosenLine({ row }: { row: TreeRow }) {
  const { value } = row;
  const path = writePath(row);
  return (
    <div className="grid gap-1 border-line border-y px-4 py-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="wire min-w-0 flex-1 [overflow-wrap:anywhere]">{path}</span>
        {isAddress(value) ? (
          <a className="link" href={value} target="_blank" rel="noopener noreferrer">
            Open link
          </a>
        ) : null}
        <CopyButton
          inline
          label={isBranch(value) ? "Copy pretty" : "Copy value"}
          text={() => writeValue(value)}
        />
        <CopyButton inline label="Copy raw" text={() => writeExact(value)} />
        <CopyButton inline label="Copy path" text={path} />
      </div>
      {typeof value === "string" ? <ValuePreview key={path} value={value} /> : null}
    </div>
  );
}

type Inside = { type: string; address: string };

const PDF = "application/pdf";
const PICTURES: [start: string, type: string][] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
];
/** Shorter texts are not files. */
const FILE_CHARS = 60;

/** Shows the picture or PDF in a value on demand. */
export function ValuePreview({ value }: { value: string }) {
  const inside = findFile(value);
  const [isOpen, setIsOpen] = useState(false);
  if (!inside) return null;
  if (!isOpen) {
    return (
      <p>
        <button type="button" className="button" onClick={() => setIsOpen(true)}>
          {inside.type === PDF ? "Show PDF" : "Show picture"}
        </button>
      </p>
    );
  }
  const subject = inside.type === PDF ? "The PDF in this value" : "The picture in this value";
  return <FileView type={inside.type} src={inside.address} subject={subject} />;
}

function findFile(value: string): Inside | null {
  const data = /^data:(image\/(?:png|jpeg|gif|webp)|application\/pdf);base64,/.exec(value);
  if (data?.[1]) return { type: data[1], address: value };
  if (/^https:\/\/[^\s"'<>]+\.(?:png|jpe?g|gif|webp)(?:\?[^\s"'<>]*)?$/i.test(value)) {
    return { type: "image/*", address: value };
  }
  if (value.length < FILE_CHARS) return null;
  if (value.startsWith("JVBERi0")) return { type: PDF, address: `data:${PDF};base64,${value}` };
  const type = PICTURES.find(([start]) => value.startsWith(start))?.[1];
  return type && /^[\w+/=\s]+$/.test(value.slice(0, 1_000))
    ? { type, address: `data:${type};base64,${value}` }
    : null;
}
