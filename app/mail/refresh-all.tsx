import { Form, useRevalidator } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import type { RefreshedItem } from "~/pieces/events/refresh-status.server";
import { formatRefresh } from "~/pieces/messages";
import { formatHttpFailure, NETWORK_ERROR } from "~/ui/network-notice";

/** Pieces per request, few so that the page can show progress. */
const AT_ONCE = 5;

/** The answer of `/api/mail/refresh`. */
type Refreshed = { items: RefreshedItem[]; left: string[]; retry_after_seconds: number | null };

/** Fetches the status of all pieces on this page; without JavaScript in one request. */
export function RefreshAll({ items }: { items: string[] }) {
  const [done, setDone] = useState<number | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const { revalidate } = useRevalidator();
  if (items.length === 0) return null;

  const refresh = async (event: FormEvent) => {
    event.preventDefault();
    setMessage(null);
    const refreshed: RefreshedItem[] = [];
    let left = 0;
    let waitSeconds: number | null = null;
    let problem = "";
    try {
      for (let from = 0; from < items.length && left === 0; from += AT_ONCE) {
        setDone(from);
        const some = await refreshSome(items.slice(from, from + AT_ONCE));
        refreshed.push(...some.items);
        // The provider's rate limit stopped it.
        if (some.left.length > 0) left = items.length - refreshed.length;
        waitSeconds = some.retry_after_seconds;
      }
    } catch (error) {
      problem = formatProblem(error);
    }
    setMessage(`${formatRefresh(refreshed, left, waitSeconds)} ${problem}`.trim());
    setDone(null);
    revalidate();
  };

  return (
    <Form method="post" onSubmit={refresh} className="flex flex-wrap items-center gap-3">
      <input type="hidden" name="intent" value="refresh" />
      {items.map((id) => (
        <input key={id} type="hidden" name="item" value={id} />
      ))}
      <button
        type="submit"
        className="button"
        disabled={done !== null}
        title="Asks the provider for the status of every piece on this page."
      >
        Refresh status of all
      </button>
      <span role="status" className="flex items-center gap-2 text-dim tabular-nums">
        {done === null ? (
          message
        ) : (
          <>
            <progress value={done} max={items.length} className="h-1.5 w-32" aria-label="Refreshing" />
            {done} of {items.length} checked
          </>
        )}
      </span>
    </Form>
  );
}

async function refreshSome(ids: string[]): Promise<Refreshed> {
  const reply = await fetch("/api/mail/refresh", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ids }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(formatHttpFailure({ status: reply.status, text }));
  return JSON.parse(text) as Refreshed;
}

function formatProblem(error: unknown): string {
  if (error instanceof TypeError) return NETWORK_ERROR;
  return error instanceof SyntaxError
    ? "Failed to refresh the status: the server's answer is unreadable. Check the list before you try again."
    : String((error as Error).message);
}
