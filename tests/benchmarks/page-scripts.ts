import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** The scripts with which a page starts. */
export interface PageScripts {
  /** Files, each of them a request. */
  requests: number;
  gzipBytes: number;
  /** As the console sends them. */
  brotliBytes: number;
}

interface Metafile {
  outputs: Record<string, { entryPoint?: string; imports: { path: string; kind: string }[] }>;
}

const BUILD = "public/build";
/** As `build-files.server.ts` compresses. */
const BROTLI_QUALITY = 9;

/**
 * What a page of a built Remix app loads before it reacts: its route, the root and the entry with all that they
 * import, and the list of routes. What is loaded when somebody needs it is not in it.
 * @param route `_index`
 */
export function weighPage(folder: string, route: string): PageScripts {
  const { outputs } = JSON.parse(readFileSync(join(folder, "build/metafile.js.json"), "utf8")) as Metafile;
  const starts = [`${BUILD}/entry.client-`, `${BUILD}/root-`, `${BUILD}/routes/${route}-`];
  const entries = Object.keys(outputs).filter(
    (path) => path.endsWith(".js") && starts.some((start) => path.startsWith(start)),
  );
  const list = readdirSync(join(folder, BUILD)).filter((name) => name.startsWith("manifest-"));
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement") add(next);
    }
  };
  for (const path of [...entries, ...list.map((name) => `${BUILD}/${name}`)]) add(path);
  const texts = [...found].map((path) => readFileSync(join(folder, path)));
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  return {
    requests: texts.length,
    gzipBytes: sum(texts.map((text) => gzipSync(text).length)),
    brotliBytes: sum(texts.map((text) => brotliCompressSync(text, { params }).length)),
  };
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
