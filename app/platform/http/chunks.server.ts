import { readFileSync } from "node:fs";

/** What Vite tells of the scripts it has built, by module. */
type Manifest = Record<string, { file: string; imports?: string[] }>;

let manifest: Manifest | undefined;

/**
 * The addresses of the scripts that hold a module which is imported when needed, so that a page that needs it at once
 * can name them in its HTML. Empty in development.
 * @param source from the project's folder, `app/…`
 */
export function listChunkUrls(source: string): string[] {
  manifest ??= readManifest();
  const chunks = manifest;
  const found = new Set<string>();
  const add = (key: string) => {
    const chunk = chunks[key];
    if (!chunk || found.has(`/${chunk.file}`)) return;
    found.add(`/${chunk.file}`);
    for (const next of chunk.imports ?? []) add(next);
  };
  add(source);
  return [...found];
}

/** Remix puts it beside the server's build. */
function readManifest(): Manifest {
  try {
    return JSON.parse(readFileSync(new URL(".vite/client-manifest.json", import.meta.url), "utf8"));
  } catch {
    return {};
  }
}
