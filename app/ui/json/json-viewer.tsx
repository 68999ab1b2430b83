import { useDeferredValue, useMemo, useState } from "react";
import { CopyButton } from "../copy-button";
import { type ExactBranch, type ExactJson, isBranch, parseExact, writeExact } from "./exact-json";
import { type Filtered, JsonFilter } from "./json-filter";
import { JsonTable } from "./json-table";
import { RowList } from "./row-list";
import { findTable } from "./table-data";
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
import { ValuePreview } from "./value-preview";

const OPEN_LEVEL = 2;
const LEVELS = [1, 2, 3, 4];

/** A JSON text with find, filter by JSONPath, tree, table and copy. */
export function JsonViewer({ text, label }: { text: string; label: string }) {
  const value = useMemo(() => parseExact(text) ?? text, [text]);
  const [filtered, setFiltered] = useState<Filtered | null>(null);
  const visible = filtered?.paths ? filtered.value : value;
  const roots = filtered?.paths ?? null;
  return (
    <section aria-label={label} className="min-w-0">
      <JsonFilter text={text} value={value} filtered={filtered} onFilter={setFiltered} />
      <Contents
        key={filtered?.path ?? ""}
        value={visible}
        roots={roots}
        filter={roots ? (filtered?.path ?? null) : null}
        label={label}
      />
    </section>
  );
}

function Contents({
  value,
  roots,
  filter,
  label,
}: {
  value: ExactJson;
  roots: string[] | null;
  /** JSONPath that found the value. */
  filter: string | null;
  label: string;
}) {
  const root = useMemo(() => toRoot(value), [value]);
  const [openness, setOpenness] = useState<Openness>({ level: OPEN_LEVEL, changed: new Map() });
  const [chosen, setChosen] = useState<TreeRow>(root);
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const [wrap, setWrap] = useState(true);
  const [table, setTable] = useState<TreeRow | null>(null);
  const searched = useDeferredValue(words);
  const found = useMemo(() => (searched === "" ? [] : findRows(root, searched)), [root, searched]);
  const rows = useMemo(() => listRows(root, openness), [root, openness]);
  const tabular = useMemo(() => findTable(chosen) ?? findTable(root), [chosen, root]);

  const reveal = (row: TreeRow) => {
    const changed = new Map(openness.changed);
    for (const branch of listAncestors(row)) changed.set(branch, true);
    setOpenness({ ...openness, changed });
    // Closes the table unless it contains the match.
    if (table && !listAncestors(row).includes(table.value as ExactBranch)) setTable(null);
    setChosen(row);
  };
  const go = (step: number) => {
    // The search of a large answer may not have finished for the newest words.
    const places = words === searched ? found : findRows(root, words);
    if (words === "" || places.length === 0) return;
    // The first step goes to the first place.
    const next = isSameRow(chosen, places[at] ?? root) ? (at + step + places.length) % places.length : at;
    setAt(next);
    reveal(places[next] as TreeRow);
  };
  const toggle = (row: TreeRow, open: boolean) => {
    if (!isBranch(row.value)) return;
    setOpenness({ ...openness, changed: new Map(openness.changed).set(row.value, open) });
  };
  const current = found.findIndex((row) => isSameRow(row, chosen));
  const count =
    found.length >= MOST_FOUND ? `${MOST_FOUND.toLocaleString("en")}+` : found.length.toLocaleString("en");
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
          onChange={(event) => {
            setWords(event.target.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            go(event.shiftKey ? -1 : 1);
          }}
        />
        <span role="status" className={searched === "" ? "sr-only" : "text-dim tabular-nums"}>
          {searched === "" ? "" : current === -1 ? `${count} found` : `${current + 1} of ${count}`}
        </span>
        {searched === "" ? null : (
          <>
            <button
              type="button"
              className="button button-quiet"
              disabled={found.length === 0}
              onClick={() => go(-1)}
            >
              Previous
            </button>
            <button
              type="button"
              className="button button-quiet"
              disabled={found.length === 0}
              onClick={() => go(1)}
            >
              Next
            </button>
          </>
        )}
        <span className="ml-auto flex flex-wrap items-center gap-x-2 gap-y-1.5">
          {table ? null : (
            <>
              <label className="flex items-center gap-1.5">
                <span className="text-dim">Open</span>
                <select
                  className="control w-auto!"
                  value={openness.level === Number.POSITIVE_INFINITY ? "all" : openness.level}
                  onChange={({ target }) =>
                    setOpenness({
                      level: target.value === "all" ? Number.POSITIVE_INFINITY : Number(target.value),
                      changed: new Map(),
                    })
                  }
                >
                  {LEVELS.map((level) => (
                    <option key={level} value={level}>
                      {level === 1 ? "1 level" : `${level} levels`}
                    </option>
                  ))}
                  <option value="all">everything</option>
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
        <JsonTable
          key={writePath(table, roots)}
          list={table.value as ExactJson[]}
          path={table.parent === null && filter ? filter : writePath(table, roots)}
          chosen={chosen}
          words={searched}
        />
      ) : (
        <>
          <ChosenLine row={chosen} roots={roots} />
          <RowList
            rows={rows}
            roots={roots}
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

/** Path of the chosen line, and actions on its value. */
function ChosenLine({ row, roots }: { row: TreeRow; roots: string[] | null }) {
  const { value } = row;
  const path = writePath(row, roots);
  const address = typeof value === "string" && /^https?:\/\/[^\s"'<>]+$/.test(value) ? value : null;
  return (
    <div className="grid gap-1 border-line border-y px-4 py-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="wire min-w-0 flex-1 [overflow-wrap:anywhere]">{path}</span>
        {address ? (
          <a className="link" href={address} target="_blank" rel="noopener noreferrer">
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
