import { Form, useRevalidator } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import type { RefreshedItem } from "~/pieces/events/refresh-status.server";
import { formatRefresh } from "~/pieces/messages";
import { formatHttpFailure, NETWORK_ERROR } from "~/ui/network-notice";

/** Pieces per request, few so that the page can show progress. */
const AT_ONCE = 5;

/** Fetches the status of all pieces on this page; without JavaScript in one request. */
export function RefreshAll({ items }: { items: string[] }) {
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const { revalidate } = useRevalidator();
  if (items.length === 0) return null;

  const refresh = async (event: FormEvent) => {
    event.preventDefault();
    setMessage(null);
    const refreshed: RefreshedItem[] = [];
    let stop: Batch["stop"] = null;
    for (let from = 0; from < items.length && stop === null; from += AT_ONCE) {
      setProgress({ done: from, of: items.length });
      const some = await refreshSome(items.slice(from, from + AT_ONCE));
      refreshed.push(...some.items);
      stop = some.stop;
    }
    // Without a reason the provider's rate limit stopped it, and the message says how many are left.
    const left = stop && stop.reason === null ? items.length - refreshed.length : 0;
    setMessage(
      [formatRefresh(refreshed, left, stop?.waitSeconds ?? null), stop?.reason ?? ""].join(" ").trim(),
    );
    setProgress(null);
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
        disabled={progress !== null}
        title="Asks the provider for the status of every piece on this page."
      >
        Refresh status of all
      </button>
      <span role="status" className="flex items-center gap-2 text-dim tabular-nums">
        {progress ? (
          <>
            <progress
              value={progress.done}
              max={progress.of}
              className="h-1.5 w-32"
              aria-label="Refreshing"
            />
            {progress.done} of {progress.of} checked
          </>
        ) : (
          message
        )}
      </span>
    </Form>
  );
}

/** The answer of `/api/mail/refresh`. */
type Refreshed = { items: RefreshedItem[]; left: string[]; retry_after_seconds: number | null };

interface Batch {
  items: RefreshedItem[];
  /** Set when no further batch is asked; `reason` is null for the provider's rate limit. */
  stop: { reason: string | null; waitSeconds: number | null } | null;
}

async function refreshSome(ids: string[]): Promise<Batch> {
  const fail = (reason: string): Batch => ({ items: [], stop: { reason, waitSeconds: null } });
  try {
    const reply = await fetch("/api/mail/refresh", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ids }),
    });
    const text = await reply.text();
    if (!reply.ok) return fail(formatHttpFailure({ status: reply.status, text }));
    const { items, left, ...rest } = JSON.parse(text) as Refreshed;
    const stop = { reason: null, waitSeconds: rest.retry_after_seconds };
    return { items, stop: left.length > 0 ? stop : null };
  } catch (error) {
    return fail(
      error instanceof TypeError
        ? NETWORK_ERROR
        : "Failed to refresh the status: the server's answer is unreadable. Check the list before you try again.",
    );
  }
}
