import { useCallback, useSyncExternalStore } from "react";

const KEY = "mailroom.preview";
const HIDDEN = "hidden";
const CHANGED = "mailroom:preview";

function subscribe(onChange: () => void): () => void {
  window.addEventListener(CHANGED, onChange);
  return () => window.removeEventListener(CHANGED, onChange);
}

/** Whether the preview is shown. This browser remembers when it is hidden. True until JavaScript runs. */
export function usePreviewShown(): [boolean, (shown: boolean) => void] {
  const shown = useSyncExternalStore(
    subscribe,
    () => window.localStorage.getItem(KEY) !== HIDDEN,
    () => true,
  );
  const setShown = useCallback((next: boolean) => {
    if (next) window.localStorage.removeItem(KEY);
    else window.localStorage.setItem(KEY, HIDDEN);
    window.dispatchEvent(new Event(CHANGED));
  }, []);
  return [shown, setShown];
}
