import { useEffect, useState } from "react";

/** Whether React has taken the page over. What is shown from then on need not be as the server wrote it. */
let takenOver = false;

/**
 * Whether JavaScript runs the page: false in the server's HTML and during hydration, true afterwards. An effect says so, and
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
