import { useCallback, useEffect, useReducer } from "react";
import { useHydrated } from "./use-hydrated";

const CHANGED = "mailroom:remembered";

/** Stores a choice in this browser under `key`. It is `initial` until hydration. */
export function useRemembered<Choice extends string>(
  key: string,
  initial: Choice,
): [Choice, (next: Choice | ((last: Choice) => Choice)) => void] {
  const name = `mailroom.${key}`;
  const hydrated = useHydrated();
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    window.addEventListener(CHANGED, redraw);
    return () => window.removeEventListener(CHANGED, redraw);
  }, []);
  const choice = hydrated ? load(name, initial) : initial;
  const choose = useCallback(
    (change: Choice | ((last: Choice) => Choice)) => {
      const next = typeof change === "function" ? change(load(name, initial)) : change;
      store(name, next === initial ? null : next);
      window.dispatchEvent(new Event(CHANGED));
    },
    [name, initial],
  );
  return [choice, choose];
}

/** Loads a stored choice; the initial one in a browser without storage. */
function load<Choice extends string>(name: string, initial: Choice): Choice {
  try {
    return (window.localStorage.getItem(name) as Choice | null) ?? initial;
  } catch {
    return initial;
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
