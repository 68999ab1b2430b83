import { createHash } from "node:crypto";

/** Names of the statements that the connections of a pool keep ready between two uses. */
export interface StatementNames {
  /** Name under which a connection keeps this statement; empty: it is planned again each time. */
  find(sql: string): string;
  /** Keeps nothing from now on. */
  stop(): void;
}

const WRITES = /\b(?:INSERT INTO|DELETE FROM|UPDATE\s+[\w."]+(?:\s+\w+)?\s+SET)\b/;
/** Statements with fewer uses may never come again. */
const USES_BEFORE = 3;
const MOST_NAMES = 200;
const MOST_COUNTED = 2_000;

/**
 * Statements that write find their rows by key, so that one plan is as good as another for them; planning is half of the
 * database's time for a live send. Statements that only read are planned each time, because the best plan to find a word
 * or a month depends on the word and the month.
 */
export function createStatementNames(): StatementNames {
  const uses = new Map<string, number>();
  const names = new Map<string, string>();
  let stopped = false;
  return {
    find(sql) {
      if (stopped || !WRITES.test(sql)) return "";
      const name = names.get(sql);
      if (name !== undefined) return name;
      const used = (uses.get(sql) ?? 0) + 1;
      if (uses.size >= MOST_COUNTED) uses.clear();
      uses.set(sql, used);
      if (used <= USES_BEFORE || names.size >= MOST_NAMES) return "";
      // Equal in every process, because a pooler may lend a connection to one after the other.
      const made = `mailroom_${createHash("sha256").update(sql).digest("hex").slice(0, 24)}`;
      names.set(sql, made);
      uses.delete(sql);
      return made;
    },
    stop() {
      stopped = true;
    },
  };
}
