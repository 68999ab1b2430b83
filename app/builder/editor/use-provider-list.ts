import { useCallback, useEffect, useRef, useState } from "react";
import { postToProxy } from "../response/post-to-proxy";
import { LOAD_FAILURES } from "./messages";
import { buildListCall, type ListSource } from "./provider-list";

export interface ListView<Loaded> {
  loaded: Loaded | null;
  loading: boolean;
  reload: () => void;
}

/**
 * A list of the account behind a base URL, loaded through the proxy as soon as it is wanted, and again for another account.
 * `initial` comes from a form that was posted without JavaScript.
 */
export function useProviderList<Loaded>(
  source: ListSource<Loaded>,
  wanted: boolean,
  { baseUrl, userId, initial }: { baseUrl: string; userId: string | null; initial: Loaded | null },
  /** Called after each load. */
  onLoaded?: (loaded: Loaded) => void,
): ListView<Loaded> {
  const [loaded, setLoaded] = useState(initial);
  const [loading, setLoading] = useState(false);
  const latest = useRef(0);
  const notify = useRef(onLoaded);
  notify.current = onLoaded;

  const reload = useCallback(async () => {
    const current = ++latest.current;
    setLoading(true);
    const next = await loadList(source, baseUrl, userId);
    if (latest.current !== current) return;
    setLoading(false);
    setLoaded(next);
    notify.current?.(next);
  }, [source, baseUrl, userId]);

  useEffect(() => {
    if (wanted) void reload();
    return () => {
      latest.current++;
    };
  }, [wanted, reload]);

  return { loaded, loading, reload: () => void reload() };
}

async function loadList<Loaded>(
  source: ListSource<Loaded>,
  baseUrl: string,
  userId: string | null,
): Promise<Loaded> {
  if (userId === null) return source.withoutUser;
  const answer = await postToProxy(buildListCall(source, baseUrl, userId), LOAD_FAILURES.fetch);
  return source.parse(answer.kind === "answered" ? answer.response : null);
}
