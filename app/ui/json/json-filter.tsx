import { useEffect, useId, useRef, useState } from "react";
import { formatCount, formatInteger } from "~/platform/format-integer";
import { parseJson } from "~/platform/json-value";
import { useRemembered } from "../use-remembered";
import { type ExactJson, isBranch } from "./exact-json";
import { type TreeRow, toRoot } from "./tree-rows";

const LIMIT_MS = 3_000;
const MOST_RECENT = 8;
const NO_PATH = "A filter begins with $, for example $.data[0].name.";

export type PathQuestion = { path: string; text: string };

/** The number of found values; of up to 10,000 of them the keys from the root, also as paths. */
export type PathAnswer =
  | { total: number; places: (string | number)[][]; paths: string[] }
  | { problem: string };

interface JsonFilterProps {
  text: string;
  value: ExactJson;
  /** Receives the root of the found values; null without a valid filter. */
  onFilter: (root: TreeRow | null) => void;
}

export function JsonFilter({ text, value, onFilter }: JsonFilterProps) {
  const [path, setPath] = useState("");
  const [message, setMessage] = useState("");
  const [stored, remember] = useRemembered<string>("json-paths", "[]");
  const search = useRef<AbortController | null>(null);
  const listId = useId();
  useEffect(() => () => search.current?.abort(), []);
  const show = (root: TreeRow | null, message: string) => {
    onFilter(root);
    setMessage(message);
  };
  const run = async () => {
    search.current?.abort();
    const trimmed = path.trim();
    if (trimmed === "") return show(null, "");
    const controller = new AbortController();
    search.current = controller;
    const result = await findByPath({ path: trimmed, text }, controller.signal);
    if (controller.signal.aborted) return;
    if ("problem" in result) {
      return show(null, trimmed.startsWith("$") ? `Not filtered: ${result.problem}.` : NO_PATH);
    }
    remember((last) => {
      const others = parsePaths(last).filter((other) => other !== trimmed);
      return JSON.stringify([trimmed, ...others].slice(0, MOST_RECENT));
    });
    const { total, places, paths } = result;
    const found = places.map((place) => findAt(value, place));
    const count = formatCount(total, "value");
    const rest = found.length < total ? `, the first ${formatInteger(found.length)} are shown` : "";
    show({ ...toRoot(found), filter: { path: trimmed, found: paths } }, count + rest);
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
          if (event.target.value === "") show(null, "");
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Does not submit the surrounding form.
          event.preventDefault();
          void run();
        }}
      />
      <datalist id={listId}>
        {parsePaths(stored).map((recent) => (
          <option key={recent} value={recent} />
        ))}
      </datalist>
      <button type="button" className="button" onClick={() => void run()}>
        Apply
      </button>
      <span role="status" className={message ? "w-full text-dim" : "sr-only"}>
        {message}
      </span>
    </div>
  );
}

/** Parses the last filters of this browser, newest first. */
function parsePaths(stored: string): string[] {
  const paths = parseJson(stored);
  return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
}

/** Finds the values of a JSONPath. @param signal ends the search */
function findByPath(question: PathQuestion, signal: AbortSignal): Promise<PathAnswer> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./json-path-worker.ts", import.meta.url), { type: "module" });
    const end = (answer: PathAnswer) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(answer);
    };
    const timer = setTimeout(() => end({ problem: "it took longer than 3 seconds" }), LIMIT_MS);
    signal.addEventListener("abort", () => end({ problem: "stopped" }));
    worker.onmessage = ({ data }: MessageEvent<PathAnswer>) => end(data);
    worker.onerror = () => end({ problem: "the filter could not be loaded" });
    worker.postMessage(question);
  });
}

function findAt(value: ExactJson, place: readonly (string | number)[]): ExactJson {
  return place.reduce<ExactJson>((at, key) => {
    if (!isBranch(at)) return at;
    // The last of equal names counts, as with `JSON.parse`.
    const child = Array.isArray(at) ? at[Number(key)] : at.members.findLast(([name]) => name === key)?.[1];
    return child ?? null;
  }, value);
}
