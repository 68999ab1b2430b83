import { useCallback, useEffect, useRef, useState } from "react";
import { parseAnswer } from "../response/answer";
import { bringsRecipients, type LoadedRecipients, parseRecipients, RECIPIENTS_CALL } from "./recipients";

export interface RecipientsView {
  loaded: LoadedRecipients | null;
  loading: boolean;
  reload: () => void;
}

const FETCH_FAILED: LoadedRecipients = { state: "failed", reason: "Failed to fetch recipients" };
const NO_USER: LoadedRecipients = { state: "failed", reason: "No user selected" };

/**
 * The recipients of the account behind a base URL, loaded through the proxy when a mail form opens (spec §7).
 * `initial` is what a form posted without JavaScript brought along.
 */
export function useRecipients(
  wanted: boolean,
  { baseUrl, userId, initial }: { baseUrl: string; userId: string | null; initial: LoadedRecipients | null },
  /** Told each time, whether there is somebody to choose. */
  onLoaded: (some: boolean) => void,
): RecipientsView {
  const [loaded, setLoaded] = useState(initial);
  const [loading, setLoading] = useState(false);
  const latest = useRef(0);
  const told = useRef(onLoaded);
  told.current = onLoaded;

  const reload = useCallback(async () => {
    const mine = ++latest.current;
    setLoading(true);
    const found = userId === null ? NO_USER : await fetchRecipients(baseUrl, userId);
    if (latest.current !== mine) return;
    setLoading(false);
    setLoaded(found);
    told.current(bringsRecipients(found));
  }, [baseUrl, userId]);

  useEffect(() => {
    if (wanted) void reload();
    return () => {
      latest.current++;
    };
  }, [wanted, reload]);

  return { loaded, loading, reload: () => void reload() };
}

async function fetchRecipients(baseUrl: string, userId: string): Promise<LoadedRecipients> {
  try {
    const reply = await fetch("/api/stannp", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...RECIPIENTS_CALL, baseUrl, user_id: userId }),
    });
    const answer = parseAnswer(reply.status, await reply.text());
    return answer.kind === "answered" ? parseRecipients(answer.response) : FETCH_FAILED;
  } catch {
    return FETCH_FAILED;
  }
}
