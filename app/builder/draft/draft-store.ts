import type { UseStore } from "idb-keyval";
import { parseJson, parseRecord } from "~/platform/json-value";
import { isTooOld } from "./draft";
import type { StoredFile } from "./saved-draft";

/** The stored entry of a key. The caller checks whether it is a draft. */
export interface StoredParts {
  stored: unknown;
  /** File contents by field name. */
  contents: Record<string, unknown>;
}

const DATABASE = "mailroom";
const STORE = "drafts";

let opening: Promise<UseStore> | null = null;
let store: UseStore | null = null;

/** Opens the store. Later calls act at once, because a page that is being left does not wait. */
async function openStore(): Promise<UseStore> {
  opening ??= import("idb-keyval").then(({ createStore }) => {
    const opened = createStore(DATABASE, STORE);
    void dropDrafts(opened, hasExpired).catch(() => undefined);
    return opened;
  });
  try {
    store = await opening;
    return store;
  } catch (error) {
    opening = null;
    throw error;
  }
}

/**
 * Finds the stored entry of `key`, or null: there is none, or the browser stores nothing (private mode, no IndexedDB).
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
 * Stores a draft and its new file contents and deletes unwanted contents, in one transaction. Returns false if that
 * failed: the store may be full or missing.
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

/** Deletes a draft and its file contents. */
export async function dropStored(key: string, fields: readonly string[]): Promise<void> {
  await change((entries) => {
    for (const name of [key, ...fields.map((field) => buildContentKey(key, field))]) entries.delete(name);
  });
}

/** Stores a draft at once, without file contents, for a page that is left before IndexedDB has it. */
export function stashDraft(key: string, stored: object): void {
  try {
    localStorage.setItem(buildStashKey(key), JSON.stringify(stored));
  } catch {
    // Full or forbidden: the older draft in the store is used then.
  }
}

/** Finds the value stored by {@link stashDraft}, or null. The caller validates it. */
export function findStash(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(buildStashKey(key)) ?? "null");
  } catch {
    return null;
  }
}

/** Deletes what {@link stashDraft} stored. */
export function dropStash(key: string): void {
  try {
    localStorage.removeItem(buildStashKey(key));
  } catch {
    // Forbidden: there is none then.
  }
}

/** Deletes this browser's drafts to a person whose data is being erased. Other browsers' expire. */
export async function dropDraftsTo(name: string, recipientId: string | null): Promise<void> {
  const wanted = name.toLowerCase();
  await dropDrafts(await openStore(), (stored) => {
    const { recipient_firstname, recipient_lastname, recipient_company, recipient } = parseRecord(
      parseRecord(parseRecord(stored).draft).values,
    );
    const names = [`${recipient_firstname} ${recipient_lastname}`, recipient_company, recipient];
    return (
      names.some((one) => String(one).trim().toLowerCase() === wanted) ||
      (recipientId !== null && recipient === recipientId)
    );
  }).catch(() => undefined);
}

/** Deletes drafts of anyone, with their files. */
async function dropDrafts(use: UseStore, isUnwanted: (stored: unknown) => boolean): Promise<void> {
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith(buildStashKey("")) && isUnwanted(parseJson(localStorage.getItem(name) ?? ""))) {
      localStorage.removeItem(name);
    }
  }
  await use("readwrite", async (entries) => {
    const names = (await settle(entries.getAllKeys())).map(String);
    const drafts = names.filter(
      (name) => !names.some((other) => name.startsWith(buildContentKey(other, ""))),
    );
    for (const key of drafts) {
      if (!isUnwanted(await read(entries, key))) continue;
      for (const name of names) if (`${name} `.startsWith(buildContentKey(key, ""))) entries.delete(name);
    }
  });
}

function hasExpired(stored: unknown): boolean {
  const { savedAt } = Object(stored) as { savedAt?: unknown };
  return typeof savedAt === "number" && isTooOld(savedAt, Date.now());
}

async function change(act: (entries: IDBObjectStore) => void): Promise<boolean> {
  try {
    const use = store ?? (await openStore());
    await use("readwrite", (entries) => {
      act(entries);
      // A page that is being left cannot wait for its writes, so they are committed at once.
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
  return settle(entries.get(name));
}

function settle<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
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
