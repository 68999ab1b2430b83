import { MethodName } from "../forms/method-name";
import { formatSentTime, type HistoryEntry } from "./history";

/** Requests this browser sent, newest first, and a button that forgets them. */
export function HistoryList({
  entries,
  onOpen,
  onClear,
}: {
  entries: HistoryEntry[];
  onOpen: (entry: HistoryEntry) => void;
  onClear: () => void;
}) {
  return (
    <>
      <ol className="divide-y divide-line border-line border-y">
        {entries.map((entry) => (
          <li key={entry.ts} className="flex items-center gap-2">
            <button
              type="button"
              className="flex min-w-0 flex-1 items-center gap-2 py-1.5 text-left hover:bg-sunken"
              onClick={() => onOpen(entry)}
            >
              <MethodName method={entry.method} />
              <span className="wire min-w-0 flex-1 truncate" title={formatQuery(entry)}>
                {entry.path}
                <span className="text-dim">{formatQuery(entry)}</span>
              </span>
              <span className={entry.status !== null && entry.status < 400 ? "text-ok" : "text-live"}>
                {entry.status ?? "no answer"}
              </span>
              <time
                className="whitespace-nowrap text-right text-dim tabular-nums"
                dateTime={new Date(entry.ts).toISOString()}
              >
                {formatSentTime(entry.ts)}
              </time>
            </button>
            {entry.responseId ? (
              <a className="link" href={`/stored/${entry.responseId}`}>
                Stored<span className="sr-only"> response of {entry.path}</span>
              </a>
            ) : null}
          </li>
        ))}
      </ol>
      <button type="button" className="button mt-3" onClick={onClear}>
        Clear history
      </button>
    </>
  );
}

function formatQuery({ query }: HistoryEntry): string {
  const pairs = Object.entries(query ?? {});
  return pairs.length === 0 ? "" : `?${pairs.map(([name, value]) => `${name}=${value}`).join("&")}`;
}
