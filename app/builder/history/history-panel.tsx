import type { ComponentProps } from "react";
import { HISTORY_EMPTY, HISTORY_NEEDS_SCRIPT } from "../messages";
import { HistoryList } from "../response/lazy-answer";

/** The requests this browser sent, newest first. Opening an entry restores the whole request. */
export function HistoryPanel({ entries, onOpen, onClear }: ComponentProps<typeof HistoryList>) {
  return (
    <div className="p-4">
      <noscript>
        <p>{HISTORY_NEEDS_SCRIPT}</p>
      </noscript>
      {entries.length === 0 ? (
        <p className="needs-script text-dim">{HISTORY_EMPTY}</p>
      ) : (
        <HistoryList entries={entries} onOpen={onOpen} onClear={onClear} />
      )}
    </div>
  );
}
