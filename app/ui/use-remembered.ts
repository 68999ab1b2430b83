import { useCallback, useEffect, useReducer } from "react";
import { useHydrated } from "./use-hydrated";

const CHANGED = "mailroom:remembered";

/** Stores a choice in this browser under `key`. It is `initial` until hydration. */
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
  const choice = hydrated ? ((load(name) as Choice | null) ?? initial) : initial;
  const choose = useCallback(
    (next: Choice) => {
      store(name, next === initial ? null : next);
      window.dispatchEvent(new Event(CHANGED));
    },
    [name, initial],
  );
  return [choice, choose];
}

/** Loads a stored choice; null also in a browser without storage. */
function load(name: string): string | null {
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null;
  }
}

function store(name: string, value: string | null): void {
  try {
    if (value === null) window.localStorage.removeItem(name);
    else window.localStorage.setItem(name, value);
  } catch {
    // A browser without storage forgets the choice.
  }
}
