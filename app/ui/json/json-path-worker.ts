import { query } from "json-p3";
import type { PathAnswer, PathQuestion } from "./json-filter";

/** Finds the values of a JSONPath in a worker, which the page can end. */
const MOST = 10_000;

self.addEventListener("message", ({ data }: MessageEvent<PathQuestion>) => {
  self.postMessage(answer(data));
});

function answer({ path, text }: PathQuestion): PathAnswer {
  try {
    const nodes = query(path, JSON.parse(text) as Parameters<typeof query>[1]).nodes;
    const visible = nodes.slice(0, MOST);
    return {
      total: nodes.length,
      places: visible.map(({ location }) => location),
      paths: visible.map((node) => node.getPath()),
    };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
