import { useCallback, useEffect, useRef, useState } from "react";
import { postToProxy } from "../response/post-to-proxy";
import { LOAD_FAILURES } from "./messages";
import { hasRecipients, type LoadedRecipients, parseRecipients, RECIPIENTS_CALL } from "./recipients";

export interface RecipientsView {
  loaded: LoadedRecipients | null;
  loading: boolean;
  reload: () => void;
}

/**
 * The recipients of the account behind a base URL, loaded through the proxy when a mail form opens.
 * `initial` comes from a form that was posted without JavaScript.
 */
export function useRecipients(
  wanted: boolean,
  { baseUrl, userId, initial }: { baseUrl: string; userId: string | null; initial: LoadedRecipients | null },
  /** Called after each load: whether there is a recipient to choose. */
  onLoaded: (some: boolean) => void,
): RecipientsView {
  const [loaded, setLoaded] = useState(initial);
  const [loading, setLoading] = useState(false);
  const latest = useRef(0);
  const notify = useRef(onLoaded);
  notify.current = onLoaded;

  const reload = useCallback(async () => {
    const current = ++latest.current;
    setLoading(true);
    const next = await loadRecipients(baseUrl, userId);
    if (latest.current !== current) return;
    setLoading(false);
    setLoaded(next);
    notify.current(hasRecipients(next));
  }, [baseUrl, userId]);

  useEffect(() => {
    if (wanted) void reload();
    return () => {
      latest.current++;
    };
  }, [wanted, reload]);

  return { loaded, loading, reload: () => void reload() };
}

async function loadRecipients(baseUrl: string, userId: string | null): Promise<LoadedRecipients> {
  if (userId === null) return { state: "failed", reason: LOAD_FAILURES.noUser };
  const answer = await postToProxy({ ...RECIPIENTS_CALL, baseUrl, user_id: userId }, LOAD_FAILURES.fetch);
  return parseRecipients(answer.kind === "answered" ? answer.response : null);
}
