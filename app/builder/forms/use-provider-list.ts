import { useCallback, useEffect, useRef, useState } from "react";
import type { LoadedList } from "../draft/recipients";

export interface ListView<Row> {
  loaded: LoadedList<Row> | null;
  loading: boolean;
  reload: () => void;
}

/**
 * A list of the account behind a base URL, loaded through the proxy as soon as it is wanted, and again for another account.
 * `initial` comes from a form that was posted without JavaScript.
 */
export function useProviderList<Row>(
  /** Null until the code of the editor is there. */
  load: ((baseUrl: string, userId: string | null) => Promise<LoadedList<Row>>) | null,
  wanted: boolean,
  { baseUrl, userId, initial }: { baseUrl: string; userId: string | null; initial: LoadedList<Row> | null },
  /** Called after each load. */
  onLoaded?: (loaded: LoadedList<Row>) => void,
): ListView<Row> {
  const [loaded, setLoaded] = useState(initial);
  const [loading, setLoading] = useState(false);
  const latest = useRef(0);
  const notify = useRef(onLoaded);
  notify.current = onLoaded;

  const reload = useCallback(async () => {
    if (load === null) return;
    const current = ++latest.current;
    setLoading(true);
    const next = await load(baseUrl, userId);
    if (latest.current !== current) return;
    setLoading(false);
    setLoaded(next);
    notify.current?.(next);
  }, [load, baseUrl, userId]);

  useEffect(() => {
    if (wanted) void reload();
    return () => {
      latest.current++;
    };
  }, [wanted, reload]);

  return { loaded, loading, reload: () => void reload() };
}
