import { type RefObject, useRef } from "react";
import type { Method } from "~/catalogue/types";
import { useTakeOver } from "~/ui/use-hydrated";
import type { Choices, RequestState } from "./use-request";

/**
 * Takes over what the user entered before JavaScript ran: it is in the page, but not in React's state. Only values that
 * differ from the server's HTML count. Files are taken by their fields.
 */
export function useEarlyInput(
  form: RefObject<HTMLFormElement>,
  change: RequestState["change"],
  choices: Choices,
): void {
  const taken = useRef(false);
  useTakeOver(() => {
    if (taken.current || !form.current) return;
    taken.current = true;
    for (const element of form.current.elements) applyEarlyInput(element, change, choices);
    for (const kind of ["query", "header"] as const) {
      const names = form.current.querySelectorAll<HTMLInputElement>(`[name="${kind}.name"]`);
      const values = form.current.querySelectorAll<HTMLInputElement>(`[name="${kind}.value"]`);
      if (![...names, ...values].some(isTouched)) continue;
      const pairs = [...names]
        .map(({ value: name }, at) => ({ name, value: values[at]?.value ?? "" }))
        .filter((pair) => pair.name !== "" || pair.value !== "");
      change({ type: "set", part: { [kind === "query" ? "query" : "headers"]: pairs } });
    }
  }, [form, change, choices]);
}

function applyEarlyInput(element: Element, change: RequestState["change"], choices: Choices): void {
  if (!isControl(element) || !isTouched(element)) return;
  const { name } = element;
  const value = getTypedText(element);
  if (name === "method") change({ type: "set", part: { method: value as Method } });
  if (name === "path") change({ type: "set", part: { path: value } });
  if (name === "body") change({ type: "set", part: { body: value } });
  if (name === "base") choices.chooseBase(value);
  if (name === "user_id") choices.chooseUser(value);
  if (!name.startsWith("field.")) return;
  const ticked = element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type);
  if (ticked && element.type === "radio" && !element.checked) return;
  change({ type: "value", name: name.slice("field.".length), value: ticked ? listTicked(element) : value });
}

/** Lists the values of the ticked boxes of this name, with commas between them. */
function listTicked({ form, name }: HTMLInputElement): string {
  const boxes = form?.querySelectorAll<HTMLInputElement>(`input[name="${name}"]:checked`) ?? [];
  return [...boxes].map(({ value }) => value).join(",");
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function isControl(element: Element): element is Control {
  return element.matches("input, textarea, select");
}

/** entry.client.tsx keeps a textarea's text in `data-typed` while React hydrates the page. */
function getTypedText(element: Control): string {
  return (element instanceof HTMLTextAreaElement ? element.dataset.typed : undefined) ?? element.value;
}

function isTouched(element: Control): boolean {
  if (element instanceof HTMLSelectElement) {
    return [...element.options].some((option) => option.selected !== option.defaultSelected);
  }
  if (element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type)) {
    return element.checked !== element.defaultChecked;
  }
  return getTypedText(element) !== element.defaultValue;
}
