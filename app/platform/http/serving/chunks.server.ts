import { readFileSync } from "node:fs";

interface Metafile {
  outputs: Record<string, { entryPoint?: string; imports: { path: string; kind: string }[] }>;
}

const PUBLIC = "public";

let metafile: Metafile | undefined;

/**
 * The addresses of the scripts that hold a module which is imported when needed, so that a page that needs it at once
 * can name them in its HTML. Empty where the build tells nothing of them.
 * @param source from the project's folder, `app/…`
 */
export function listChunkUrls(source: string): string[] {
  metafile ??= readMetafile();
  const { outputs } = metafile;
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source);
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement") add(next);
    }
  };
  if (entry) add(entry);
  return [...found].map((path) => path.slice(PUBLIC.length));
}

/** Remix writes it beside the server's build. */
function readMetafile(): Metafile {
  try {
    return JSON.parse(readFileSync(new URL("metafile.js.json", import.meta.url), "utf8"));
  } catch {
    return { outputs: {} };
  }
}
