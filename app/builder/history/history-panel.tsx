import type { ComponentProps } from "react";
import { HistoryList } from "../page/lazy-answer";

const HISTORY_NEEDS_SCRIPT = "History is kept in this browser and needs JavaScript.";

const HISTORY_EMPTY =
  "No requests sent from this browser yet. They appear here, newest first. Select one to open it again.";

/**
 * The requests this browser sent, newest first. An entry opens its stored response again; one that was not stored opens
 * whole until the page is left.
 */
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
