import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createTables, makeDatabaseFolder } from "./postgres";

/** Names the folder of a run's embedded databases; the others are copies of its `first`. */
const FOLDER = "TEST_EMBEDDED_FOLDER";

/**
 * Creates the embedded database that `newEmbedded` copies: an empty one with its tables. Creating one takes some
 * four seconds of processor time, copying it almost none. Returns a function that removes it and all copies.
 */
export async function prepareEmbedded(): Promise<() => void> {
  const folder = makeDatabaseFolder("embedded");
  await createTables({ kind: "embedded", folder: join(folder, "first") });
  process.env[FOLDER] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** The address of a new embedded database with empty tables. It is removed at the end of the run. */
export function newEmbedded(): string {
  const folder = process.env[FOLDER];
  if (!folder || !existsSync(folder)) throw new Error(`No embedded database was prepared (${FOLDER}).`);
  const copy = mkdtempSync(join(folder, "copy-"));
  cpSync(join(folder, "first"), copy, { recursive: true });
  return `pglite://${copy}`;
}
