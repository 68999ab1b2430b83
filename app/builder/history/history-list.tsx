import { MethodName } from "../forms/method-name";
import { formatSentTime, type HistoryEntry } from "./history";

const ROW = "flex min-w-0 flex-1 items-center gap-2 py-1.5 text-left hover:bg-sunken";

interface HistoryListProps {
  entries: HistoryEntry[];
  onOpen: (entry: HistoryEntry) => void;
  onClear: () => void;
}

export function HistoryList({ entries, onOpen, onClear }: HistoryListProps) {
  return (
    <>
      <ol className="divide-y divide-line border-line border-y">
        {entries.map((entry) => (
          <li key={entry.ts} className="flex items-center gap-2">
            {entry.responseId ? (
              <>
                {/* A new page, also when the same preset is open. */}
                <a className={ROW} href={`/?response=${entry.responseId}`}>
                  <Sent entry={entry} />
                </a>
                <a className="link" href={`/stored/${entry.responseId}`}>
                  Stored<span className="sr-only"> response of {entry.path}</span>
                </a>
              </>
            ) : (
              <button type="button" className={ROW} onClick={() => onOpen(entry)}>
                <Sent entry={entry} />
              </button>
            )}
          </li>
        ))}
      </ol>
      <button type="button" className="button mt-3" onClick={onClear}>
        Clear history
      </button>
    </>
  );
}

function Sent({ entry }: { entry: HistoryEntry }) {
  return (
    <>
      <MethodName method={entry.method} />
      <span className="wire min-w-0 flex-1 truncate">{entry.path}</span>
      <span className={entry.status !== null && entry.status < 400 ? "text-ok" : "text-live"}>
        {entry.status ?? "no answer"}
      </span>
      <time
        className="whitespace-nowrap text-right text-dim tabular-nums"
        dateTime={new Date(entry.ts).toISOString()}
      >
        {formatSentTime(entry.ts)}
      </time>
    </>
  );
}
