import { useEffect, useState } from "react";

/** True once React has hydrated the page. From then on it may differ from the server's HTML. */
let takenOver = false;

/**
 * True when JavaScript runs the page: false in the server's HTML and during hydration, true afterwards. An effect says so, and
 * not `useSyncExternalStore`: React would draw that at once, before the state has what was typed early, and a field that is
 * drawn without its text loses its caret.
 */
export function useHydrated(): boolean {
  const [hydrated, setHydrated] = useState(takenOver);
  useEffect(() => {
    takenOver = true;
    setHydrated(true);
  }, []);
  return hydrated;
}
