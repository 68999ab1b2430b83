import { readFileSync } from "node:fs";

/** Vite's manifest of built scripts, by module. */
type Manifest = Record<string, { file: string; imports?: string[] }>;

let manifest: Manifest | undefined;

/**
 * Lists the URLs of the scripts of a lazily imported module, so that a page can preload them. Empty in development.
 * @param source path from the project's folder, `app/…`
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

/** Reads the manifest that Remix writes beside the server's build. */
function readManifest(): Manifest {
  try {
    return JSON.parse(readFileSync(new URL(".vite/client-manifest.json", import.meta.url), "utf8"));
  } catch {
    return {};
  }
}
