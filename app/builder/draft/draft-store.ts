import type { UseStore } from "idb-keyval";
import { parseJson, parseRecord } from "~/platform/json-value";
import { isTooOld } from "~/platform/time";
import type { StoredFile } from "./saved-draft";

/** Drafts are kept in localStorage, because a page that is being left can still write there. */
const PREFIX = "mailroom drafts ";

/** Finds the stored draft of `key`, or null. The caller validates it. */
export function findStored(key: string): unknown {
  try {
    return parseJson(localStorage.getItem(PREFIX + key) ?? "null");
  } catch {
    // Forbidden: there is none then.
    return null;
  }
}

/** Stores a draft at once, without the contents of its files. False if the store is full or forbidden. */
export function putStored(key: string, stored: object): boolean {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(stored));
    return true;
  } catch {
    return false;
  }
}

export function dropStored(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // Forbidden: there is none then.
  }
}

let store: Promise<UseStore> | null = null;

/** Opens the store of file contents, which are too large for localStorage. Their keys are a draft's key and the field. */
function openFiles(): Promise<UseStore> {
  store ??= import("idb-keyval").then(({ createStore }) => createStore("mailroom", "drafts"));
  return store;
}

function buildFileKey(key: string, field: string): string {
  return `${key} ${field}`;
}

/** Loads the contents of a draft's files; none when the browser stores none (private mode, no IndexedDB). */
export async function loadFiles(key: string, fields: readonly string[]): Promise<Record<string, unknown>> {
  try {
    const { getMany } = await import("idb-keyval");
    const names = fields.map((field) => buildFileKey(key, field));
    const contents = await getMany(names, await openFiles());
    return Object.fromEntries(fields.map((field, at) => [field, contents[at]]));
  } catch {
    return {};
  }
}

/** Stores file contents and deletes unwanted ones. False if that failed: the store may be full or missing. */
export function putFiles(
  key: string,
  contents: Readonly<Record<string, StoredFile>>,
  unwanted: readonly string[],
): Promise<boolean> {
  return changeFiles((entries) => {
    for (const field of unwanted) entries.delete(buildFileKey(key, field));
    for (const [field, content] of Object.entries(contents)) entries.put(content, buildFileKey(key, field));
  });
}

/** Deletes this browser's drafts to a person whose data is being erased. Other browsers' expire. */
export function dropDraftsTo(name: string, recipientId: string | null): void {
  const wanted = name.toLowerCase();
  for (const key of Object.keys(localStorage).filter((one) => one.startsWith(PREFIX))) {
    const { draft } = parseRecord(findStored(key.slice(PREFIX.length)));
    const values = parseRecord(parseRecord(draft).values);
    const { recipient_firstname, recipient_lastname, recipient_company, recipient } = values;
    const names = [`${recipient_firstname} ${recipient_lastname}`, recipient_company, recipient];
    if (names.some((one) => String(one).trim().toLowerCase() === wanted) || recipient === recipientId) {
      localStorage.removeItem(key);
    }
  }
}

/** Deletes drafts of anyone that are too old, and the files of drafts that are gone. */
export async function dropOld(): Promise<void> {
  for (const name of Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))) {
    const { savedAt } = Object(findStored(name.slice(PREFIX.length))) as { savedAt?: unknown };
    if (typeof savedAt === "number" && isTooOld(savedAt, Date.now())) localStorage.removeItem(name);
  }
  const { keys } = await import("idb-keyval");
  const gone = (await keys<string>(await openFiles())).filter(
    (name) => findStored(name.slice(0, name.lastIndexOf(" "))) === null,
  );
  await changeFiles((entries) => {
    for (const name of gone) entries.delete(name);
  });
}

async function changeFiles(act: (entries: IDBObjectStore) => void): Promise<boolean> {
  try {
    const use = await openFiles();
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
