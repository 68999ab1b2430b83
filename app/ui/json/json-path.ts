import { type ExactJson, isBranch } from "./exact-json";

/** Messages to and from the worker for JSONPath. */
export interface PathQuestion {
  path: string;
  text: string;
}

export type PathAnswer =
  | {
      total: number;
      /** Keys from the root to each found value, up to 10,000 values. */
      places: (string | number)[][];
      /** The same as paths. */
      paths: string[];
    }
  | { problem: string };

/** Time limit of a filter. */
const LIMIT_MS = 3_000;

/** Finds the values of a JSONPath. @param signal ends the search */
export function findByPath(question: PathQuestion, signal: AbortSignal): Promise<PathAnswer> {
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

/** Returns the value at a place. */
export function pickAt(value: ExactJson, place: readonly (string | number)[]): ExactJson {
  return place.reduce<ExactJson>((at, key) => {
    if (!isBranch(at)) return at;
    // The last of equal names counts, as with `JSON.parse`.
    const child = Array.isArray(at) ? at[Number(key)] : at.members.findLast(([name]) => name === key)?.[1];
    return child ?? null;
  }, value);
}

const RECENT_KEY = "mailroom.json-paths";
const MOST_RECENT = 8;

/** Lists the last filters of this browser, newest first. */
export function listRecentPaths(): string[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(RECENT_KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

export function rememberPath(path: string): void {
  const recent = [path, ...listRecentPaths().filter((other) => other !== path)].slice(0, MOST_RECENT);
  try {
    window.localStorage.setItem(RECENT_KEY, JSON.stringify(recent));
  } catch {
    // A full storage must not lose the result.
  }
}
