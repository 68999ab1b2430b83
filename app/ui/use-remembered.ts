import { useCallback, useSyncExternalStore } from "react";

const CHANGED = "mailroom:remembered";

function subscribe(onChange: () => void): () => void {
  window.addEventListener(CHANGED, onChange);
  return () => window.removeEventListener(CHANGED, onChange);
}

/** A choice about the page that this browser remembers under `key`. It is `initial` until JavaScript runs. */
export function useRemembered<Choice extends string>(
  key: string,
  initial: Choice,
): [Choice, (next: Choice) => void] {
  const name = `mailroom.${key}`;
  const choice = useSyncExternalStore(
    subscribe,
    () => (window.localStorage.getItem(name) as Choice | null) ?? initial,
    () => initial,
  );
  const choose = useCallback(
    (next: Choice) => {
      if (next === initial) window.localStorage.removeItem(name);
      else window.localStorage.setItem(name, next);
      window.dispatchEvent(new Event(CHANGED));
    },
    [name, initial],
  );
  return [choice, choose];
}
