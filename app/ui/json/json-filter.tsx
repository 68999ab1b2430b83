import { useEffect, useId, useRef, useState } from "react";
import type { ExactJson } from "./exact-json";
import { findByPath, listRecentPaths, pickAt, rememberPath } from "./json-path";

/** Result of a filter; `paths` are the places of its values. */
export interface Filtered {
  path: string;
  value: ExactJson;
  paths: string[] | null;
  message: string | null;
}

/** Field for a JSONPath that filters the values. */
export function JsonFilter({
  text,
  value,
  filtered,
  onFilter,
}: {
  text: string;
  /** Parsed text. */
  value: ExactJson;
  filtered: Filtered | null;
  onFilter: (filtered: Filtered | null) => void;
}) {
  const [path, setPath] = useState("");
  const [recent, setRecent] = useState<string[]>([]);
  const search = useRef<AbortController | null>(null);
  const listId = useId();
  useEffect(() => {
    setRecent(listRecentPaths());
    return () => search.current?.abort();
  }, []);
  const run = async () => {
    search.current?.abort();
    const trimmed = path.trim();
    if (trimmed === "") return onFilter(null);
    const controller = new AbortController();
    search.current = controller;
    const found = await findByPath({ path: trimmed, text }, controller.signal);
    if (controller.signal.aborted) return;
    if ("problem" in found) {
      return onFilter({
        path: trimmed,
        value,
        paths: null,
        message: trimmed.startsWith("$")
          ? `Not filtered: ${found.problem}.`
          : "A filter begins with $, for example $.data[0].name.",
      });
    }
    rememberPath(trimmed);
    setRecent(listRecentPaths());
    const { total, places, paths } = found;
    const count = `${total.toLocaleString("en")} ${total === 1 ? "value" : "values"}`;
    onFilter({
      path: trimmed,
      value: places.map((place) => pickAt(value, place)),
      paths,
      message:
        places.length < total ? `${count}, the first ${places.length.toLocaleString("en")} are shown` : count,
    });
  };
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pt-3">
      <input
        type="text"
        aria-label="Filter by JSONPath"
        placeholder="Filter: $.data[?@.country == 'US'].city"
        list={listId}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        className="control wire min-w-40 flex-1"
        value={path}
        onChange={(event) => {
          setPath(event.target.value);
          if (event.target.value === "") onFilter(null);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Does not submit the surrounding form.
          event.preventDefault();
          void run();
        }}
      />
      <datalist id={listId}>
        {recent.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <button type="button" className="button" onClick={() => void run()}>
        Apply
      </button>
      <span role="status" className={filtered?.message ? "w-full text-dim" : "sr-only"}>
        {filtered?.message}
      </span>
    </div>
  );
}
