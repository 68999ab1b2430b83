import { useEffect, useLayoutEffect, useState } from "react";

/** True after the first hydration. */
let takenOver = false;

/**
 * True after hydration; false in the server's HTML and during hydration. Uses an effect, because `useSyncExternalStore` would
 * rerender before the state has what was typed early, and a field without its text loses its caret.
 */
export function useHydrated(): boolean {
  const [hydrated, setHydrated] = useState(takenOver);
  useEffect(() => {
    takenOver = true;
    setHydrated(true);
  }, []);
  return hydrated;
}

/** Class of an element that fades in, unless the server's HTML had it: that would delay the first paint. */
export function useAppears(): string {
  return useState(takenOver)[0] ? "appears" : "";
}

/**
 * Runs an effect that reads input entered before hydration. Its changes are rendered before React receives events. It is `useEffect`
 * on the server, where React warns of `useLayoutEffect`.
 */
export const useTakeOver = typeof document === "undefined" ? useEffect : useLayoutEffect;
