import { useCallback, useEffect, useReducer } from "react";
import { useHydrated } from "./use-hydrated";

const CHANGED = "mailroom:remembered";

/** A choice about the page that this browser remembers under `key`. It is `initial` until JavaScript runs. */
export function useRemembered<Choice extends string>(
  key: string,
  initial: Choice,
): [Choice, (next: Choice) => void] {
  const name = `mailroom.${key}`;
  const hydrated = useHydrated();
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    window.addEventListener(CHANGED, redraw);
    return () => window.removeEventListener(CHANGED, redraw);
  }, []);
  const choice = hydrated ? ((recall(name) as Choice | null) ?? initial) : initial;
  const choose = useCallback(
    (next: Choice) => {
      keep(name, next === initial ? null : next);
      window.dispatchEvent(new Event(CHANGED));
    },
    [name, initial],
  );
  return [choice, choose];
}

/** What is kept under a name; null also in a browser that keeps nothing. */
function recall(name: string): string | null {
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null;
  }
}

function keep(name: string, value: string | null): void {
  try {
    if (value === null) window.localStorage.removeItem(name);
    else window.localStorage.setItem(name, value);
  } catch {
    // A browser that keeps nothing forgets the choice.
  }
}
