import { useSyncExternalStore } from "react";

const subscribe = () => () => {};

/** Whether JavaScript runs the page: false in the server's HTML and during hydration, true afterwards. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
