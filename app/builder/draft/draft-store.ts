import { createStore, delMany, getMany, keys, promisifyRequest } from "idb-keyval";
import { parseJson, parseRecord } from "~/platform/json-value";
import { isTooOld } from "~/platform/time";

/** Drafts are kept in localStorage, because a page that is being left can still write there. */
const PREFIX = "mailroom drafts ";
/** The contents of files by their stamp. They are too large for localStorage. */
const FILES = createStore("mailroom", "drafts");

/** Time that a page that is reloaded may take to release its entry. */
const RELEASED_MS = 1_000;
/** Entries of this page by form. It has them until it is left. */
const claims = new Map<string, Promise<string>>();

/**
 * Claims the entry of this tab for a form, so that two tabs that write the same form keep two drafts: the tab's own after a reload,
 * else the newest that no other tab has, else a new one. Rejects when the browser forbids storage.
 */
export function claimEntry(key: string): Promise<string> {
  const claim = claims.get(key) ?? claimFree(key);
  claims.set(key, claim);
  return claim;
}

async function claimFree(key: string): Promise<string> {
  // Browsers have locks only on https and on this machine.
  if (!navigator.locks) return key;
  const findTime = (entry: string) => Number(parseRecord(findStored(entry)).savedAt ?? 0);
  const own = sessionStorage.getItem(PREFIX + key);
  const isOther = (entry: string) => entry !== own && (entry === key || entry.startsWith(`${key} `));
  const others = listKeys()
    .filter(isOther)
    .sort((a, b) => findTime(b) - findTime(a));
  for (const entry of [own, ...others, `${key} ${crypto.randomUUID()}`]) {
    if (entry === null || !(await lock(entry, entry === own))) continue;
    sessionStorage.setItem(PREFIX + key, entry);
    return entry;
  }
  return key;
}

/** Locks an entry until the page is left. False if another tab has it. */
function lock(entry: string, mayWait: boolean): Promise<boolean> {
  const options = mayWait ? { signal: AbortSignal.timeout(RELEASED_MS) } : { ifAvailable: true };
  return new Promise((resolve) => {
    navigator.locks
      .request(PREFIX + entry, options, (held) => {
        resolve(held !== null);
        return held && new Promise(() => {});
      })
      .catch(() => resolve(false));
  });
}

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

/** Loads file contents by their stamps; none when the browser stores none (private mode, no IndexedDB). */
export async function loadFiles(stamps: readonly string[]): Promise<Map<string, unknown>> {
  try {
    const contents = await getMany([...stamps], FILES);
    return new Map(stamps.map((stamp, at) => [stamp, contents[at]]));
  } catch {
    return new Map();
  }
}

/** Stores file contents by their stamps. False if that failed: the store may be full or missing. */
export async function putFiles(contents: ReadonlyMap<string, string>): Promise<boolean> {
  try {
    await FILES("readwrite", (entries) => {
      for (const [stamp, content] of contents) entries.put(content, stamp);
      // A page that is being left cannot wait for its writes, so they are committed at once.
      entries.transaction.commit();
      return promisifyRequest(entries.transaction);
    });
    return true;
  } catch {
    return false;
  }
}

/** Deletes drafts of anyone that are too old, and the files that no draft has. */
export async function dropUnused(): Promise<void> {
  try {
    for (const key of listKeys()) {
      const { savedAt } = parseRecord(findStored(key));
      if (typeof savedAt === "number" && isTooOld(savedAt, Date.now())) dropStored(key);
    }
    const stamps = await keys<string>(FILES);
    const used = listKeys().flatMap((key) => Object.values(parseRecord(parseRecord(findStored(key)).stamps)));
    await delMany(
      stamps.filter((stamp) => !used.includes(stamp)),
      FILES,
    );
  } catch {
    // Another page deletes them.
  }
}

/** Deletes this browser's drafts to a person whose data is being erased. Other browsers' expire. */
export function dropDraftsTo(name: string, recipientId: string | null): void {
  const wanted = name.toLowerCase();
  for (const key of listKeys()) {
    const { draft } = parseRecord(findStored(key));
    const values = parseRecord(parseRecord(draft).values);
    const { recipient_firstname, recipient_lastname, recipient_company, recipient } = values;
    const names = [`${recipient_firstname} ${recipient_lastname}`, recipient_company, recipient];
    if (names.some((one) => String(one).trim().toLowerCase() === wanted) || recipient === recipientId) {
      dropStored(key);
    }
  }
}

function listKeys(): string[] {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  return names.map((name) => name.slice(PREFIX.length));
}
