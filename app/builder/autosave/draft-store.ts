import type { UseStore } from "idb-keyval";
import type { StoredFile } from "./saved-draft";

/** What lies under a draft's key; whether it is a draft is for the reader to see. */
export interface StoredParts {
  stored: unknown;
  /** By field name. */
  contents: Record<string, unknown>;
}

const DATABASE = "mailroom";
const STORE = "drafts";

let opening: Promise<UseStore> | null = null;
let store: UseStore | null = null;

/** Makes the store ready, so that later calls act at once: a page that is being left waits for nothing. */
async function openStore(): Promise<UseStore> {
  opening ??= import("idb-keyval").then(({ createStore }) => createStore(DATABASE, STORE));
  try {
    store = await opening;
    return store;
  } catch (error) {
    opening = null;
    throw error;
  }
}

/**
 * What this browser holds under `key`, or null: nothing, or it keeps nothing at all (private mode, no IndexedDB).
 * @param fields names of the fields whose contents are wanted
 */
export async function findStored(key: string, fields: readonly string[]): Promise<StoredParts | null> {
  try {
    const use = await openStore();
    return await use("readonly", async (entries) => {
      const [stored, ...contents] = await Promise.all(
        [key, ...fields.map((field) => buildContentKey(key, field))].map((name) => read(entries, name)),
      );
      if (stored === undefined) return null;
      return { stored, contents: Object.fromEntries(fields.map((field, at) => [field, contents[at]])) };
    });
  } catch {
    return null;
  }
}

/**
 * Puts a draft, the contents that are new and the removal of those that are not wanted into the store, all or
 * nothing. Answers whether it is there now: the store may be full, or there may be none.
 */
export async function putStored(
  key: string,
  stored: object,
  contents: Readonly<Record<string, StoredFile>>,
  unwanted: readonly string[],
): Promise<boolean> {
  return change((entries) => {
    entries.put(stored, key);
    for (const field of unwanted) entries.delete(buildContentKey(key, field));
    for (const [field, content] of Object.entries(contents))
      entries.put(content, buildContentKey(key, field));
  });
}

/** Takes a draft and its contents out of the store. */
export async function dropStored(key: string, fields: readonly string[]): Promise<void> {
  await change((entries) => {
    for (const name of [key, ...fields.map((field) => buildContentKey(key, field))]) entries.delete(name);
  });
}

/** Puts a draft aside at once, for a page that is left before the store has it: without files' contents, as text. */
export function stashDraft(key: string, stored: object): void {
  try {
    localStorage.setItem(buildStashKey(key), JSON.stringify(stored));
  } catch {
    // Full, or forbidden: then what the store has counts.
  }
}

/** What was put aside so under `key`, or null; whether it is a draft is for the reader to see. */
export function findStash(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(buildStashKey(key)) ?? "null");
  } catch {
    return null;
  }
}

/** Forgets what was put aside. */
export function dropStash(key: string): void {
  try {
    localStorage.removeItem(buildStashKey(key));
  } catch {
    // Forbidden: then there is none.
  }
}

async function change(act: (entries: IDBObjectStore) => void): Promise<boolean> {
  try {
    const use = store ?? (await openStore());
    await use("readwrite", (entries) => {
      act(entries);
      // A page that is being left does not see its writes done: they must not wait for it.
      entries.transaction.commit();
      return new Promise<void>((resolve, reject) => {
        entries.transaction.oncomplete = () => resolve();
        entries.transaction.onabort = () => reject(entries.transaction.error);
      });
    });
    return true;
  } catch {
    return false;
  }
}

function read(entries: IDBObjectStore, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = entries.get(name);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function buildStashKey(key: string): string {
  return `${DATABASE} ${STORE} ${key}`;
}

function buildContentKey(key: string, field: string): string {
  return `${key} ${field}`;
}
