import { useEffect, useMemo, useState } from "react";
import { type Finding, toCameBack } from "../layout/finding";
import type { PreviewState } from "../layout/preview-content";

/** After the last change of the address. */
const PAUSE_MS = 400;
const TIME_LIMIT_MS = 10_000;

/**
 * Asks the server if mail to the recipient came back; null when it did not or is not known yet.
 * @param baseUrl of the account that a saved recipient is in; null: nothing is body
 */
export function useReturned(
  { recipient, recipientId }: PreviewState,
  baseUrl: string | null,
): Finding | null {
  const isKnown = recipientId !== "" || Boolean(recipient?.address1 && recipient.city);
  const body =
    baseUrl !== null && isKnown
      ? JSON.stringify({ recipient, recipient_id: recipientId || null, base_url: baseUrl })
      : null;
  const [found, setFound] = useState<{ body: string; at: string } | null>(null);
  useEffect(() => {
    if (body === null) return;
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(PAUSE_MS + TIME_LIMIT_MS)]);
    const timer = setTimeout(async () => {
      const at = await ask(body, signal);
      if (at !== null) setFound({ body, at });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [body]);
  const at = found !== null && found.body === body ? found.at : null;
  return useMemo(() => (at === null ? null : toCameBack(new Date(at))), [at]);
}

/** Without an answer nothing is found: the list's check and `preflight=only` have their own. */
async function ask(body: string, signal: AbortSignal): Promise<string | null> {
  try {
    const headers = { "Content-Type": "application/json" };
    const reply = await fetch("/api/returned-address", { method: "POST", headers, body, signal });
    return reply.ok ? (await reply.json()).returned_at : null;
  } catch {
    return null;
  }
}
