import { type RefObject, useEffect, useRef } from "react";

/**
 * Ctrl or Cmd with Enter sends; the other shortcuts are every page's. Live mail is sent by its button only: for it,
 * `onLiveRefused` is called instead.
 */
export function useShortcuts(
  form: RefObject<HTMLFormElement>,
  { live, onLiveRefused }: { live: boolean; onLiveRefused: () => void },
): void {
  const now = useRef({ live, onLiveRefused });
  now.current = { live, onLiveRefused };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        if (now.current.live) {
          // On a focused button the browser would press it.
          event.preventDefault();
          now.current.onLiveRefused();
        } else {
          const send = document.querySelector<HTMLButtonElement>('button[value="send"]:not([aria-hidden])');
          if (send?.form === form.current) send?.click();
        }
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [form]);
}
