import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { isBranch, summarise } from "./exact-json";
import { BranchSize, LineName, Scalar } from "./json-line";
import { isSameRow, type TreeRow } from "./tree-rows";

/** More lines are virtualised in a scrolling box. */
const MOST_DRAWN = 300;
const LINE_PX = 20;
/** Indents by depth. A wrapped line continues a little to the right of its key. */
const INDENTS = ["pl-8", "pl-12", "pl-16", "pl-20", "pl-24", "pl-28", "pl-32", "pl-36", "pl-40"];

interface RowListProps {
  rows: TreeRow[];
  chosen: TreeRow;
  /** Marked words; "" for none. */
  words: string;
  wrap: boolean;
  label: string;
  onChoose: (row: TreeRow) => void;
  onToggle: (row: TreeRow, open: boolean) => void;
}

/** Lines of a tree: one tab stop, with a tree's keyboard commands. */
export function RowList(props: RowListProps) {
  const { rows, chosen, wrap, label, onChoose, onToggle } = props;
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const large = rows.length > MOST_DRAWN;
  const found = rows.findIndex((row) => isSameRow(row, chosen));
  const at = Math.max(0, found);
  const virtual = useVirtualizer({
    count: large ? rows.length : 0,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
  });
  const scroll = useRef(virtual.scrollToIndex);
  scroll.current = virtual.scrollToIndex;
  const first = useRef(chosen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another line was chosen, which may be far away
  useEffect(() => {
    // A new answer must not scroll the page.
    if (chosen === first.current) return;
    if (large) scroll.current(at, { align: "auto" });
    else box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [chosen, large]);

  const pressKey = (event: KeyboardEvent) => {
    const row = rows[at];
    if (!row) return;
    const go = (index: number) => {
      const next = rows[Math.min(rows.length - 1, Math.max(0, index))];
      if (next) onChoose(next);
    };
    if (event.key === "ArrowDown") go(at + 1);
    else if (event.key === "ArrowUp") go(at - 1);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(rows.length - 1);
    else if (event.key === "ArrowRight" && row.open === false) onToggle(row, true);
    else if (event.key === "ArrowRight" && row.open) go(at + 1);
    else if (event.key === "ArrowLeft" && row.open) onToggle(row, false);
    else if (event.key === "ArrowLeft" && row.parent) onChoose(row.parent);
    else if (event.key === "Enter" || event.key === " ") onToggle(row, !row.open);
    else return;
    event.preventDefault();
  };
  const draw = (row: TreeRow, index: number) => (
    <Line key={index} {...props} id={`${id}${index}`} row={row} selected={index === at} />
  );
  return (
    <div
      ref={box}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={`${id}${at}`}
      onKeyDown={pressKey}
      className={`wire py-2 leading-5 ${large ? "h-[70vh] overflow-auto" : "scrolls"} ${wrap ? "[overflow-wrap:anywhere]" : "whitespace-nowrap"}`}
    >
      {large ? (
        <div role="none" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => (
            <div
              key={item.key}
              role="none"
              ref={virtual.measureElement}
              data-index={item.index}
              className={`absolute top-0 left-0 ${wrap ? "w-full" : "min-w-full"}`}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {draw(rows[item.index] as TreeRow, item.index)}
            </div>
          ))}
        </div>
      ) : (
        rows.map(draw)
      )}
    </div>
  );
}

type LineProps = RowListProps & { id: string; row: TreeRow; selected: boolean };

function Line({ id, row, selected, words, onChoose, onToggle }: LineProps) {
  const { key, value, depth, open } = row;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its active line
    <div
      id={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={open}
      aria-selected={selected}
      className={`-indent-6 cursor-default pr-4 ${INDENTS[Math.min(depth, INDENTS.length - 1)]} ${selected ? "bg-accent-wash" : "hover:bg-surface"}`}
      onClick={() => {
        onChoose(row);
        onToggle(row, !open);
      }}
    >
      <span aria-hidden className="inline-block w-4 indent-0 text-dim">
        {open === undefined ? "" : open ? "▾" : "▸"}
      </span>
      <LineName name={key} words={words} />
      {isBranch(value) ? (
        <>
          <BranchSize value={value} />
          {open ? null : <span className="text-dim">{summarise(value)}</span>}
        </>
      ) : (
        <Scalar value={value} words={words} />
      )}
    </div>
  );
}
