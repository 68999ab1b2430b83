import { type RefObject, useEffect } from "react";

/** `/` focuses the preset search; Ctrl or Cmd with Enter sends. */
export function useShortcuts(form: RefObject<HTMLFormElement>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest("input, textarea, select");
      if (event.key === "/" && !typing) {
        event.preventDefault();
        document.querySelector<HTMLInputElement>('input[type="search"]')?.focus();
      }
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        form.current?.querySelector<HTMLButtonElement>('button[value="send"]:not([aria-hidden])')?.click();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [form]);
}
