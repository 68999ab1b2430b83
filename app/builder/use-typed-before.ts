import { type RefObject, useEffect } from "react";
import type { DraftChange } from "./use-draft";

/** Takes over what was typed or ticked before JavaScript arrived: it stands in the page, not yet in the state. */
export function useTypedBefore(
  form: RefObject<HTMLFormElement>,
  change: (change: DraftChange) => void,
): void {
  useEffect(() => {
    for (const element of form.current?.elements ?? []) {
      if (element instanceof HTMLInputElement && element.type === "file") {
        if (element.files?.length) element.dispatchEvent(new Event("change", { bubbles: true }));
      } else if (
        element instanceof HTMLInputElement ||
        element instanceof HTMLTextAreaElement ||
        element instanceof HTMLSelectElement
      ) {
        readTyped(element, change);
      }
    }
  }, [form, change]);
}

function readTyped(
  element: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
  change: (change: DraftChange) => void,
): void {
  if (element.name === "path") change({ type: "path", path: element.value });
  if (!element.name.startsWith("field.")) return;
  const ticked = element instanceof HTMLInputElement && element.type === "checkbox";
  const value = ticked && !element.checked ? "" : element.value;
  change({ type: "value", name: element.name.slice("field.".length), value });
}
