import { type RefObject, useEffect, useRef } from "react";
import { areShortcutsOn, isShortcut } from "../keys";

const FOCUSABLE = "a[href], button, input, select, textarea, summary";

/**
 * Makes a list of rows with `data-row` one tab stop: the chosen row and its controls. j and k choose another row; so do the
 * arrow keys, Home and End while a row has the focus. Enter follows the row's link (the first one, or that with `data-open`),
 * x ticks its box. Without JavaScript, or with shortcuts off, all controls are tab stops.
 */
export function useListKeys<List extends HTMLElement>(): RefObject<List> {
  const list = useRef<List>(null);
  const chosen = useRef(0);

  // After each render, because rows change.
  useEffect(() => {
    if (areShortcutsOn()) markStops(listRows(list.current), chosen.current);
  });

  useEffect(() => {
    const choose = (at: number) => {
      const rows = listRows(list.current);
      chosen.current = Math.max(0, Math.min(at, rows.length - 1));
      markStops(rows, chosen.current);
      return rows[chosen.current] ?? null;
    };
    const onKey = (event: KeyboardEvent) => {
      if (!areShortcutsOn() || !isShortcut(event)) return;
      const rows = listRows(list.current);
      const at = rows.findIndex((row) => row.contains(document.activeElement));
      // The list with the focus handles the key.
      if (at === -1 && document.activeElement?.closest("[data-row]")) return;
      const next = findNext(event.key, at, rows, chosen.current);
      if (next !== null && rows.length > 0) {
        event.preventDefault();
        choose(next)?.focus();
      } else if (rows[at]) {
        act(event, rows[at]);
      }
    };
    const onFocus = (event: FocusEvent) => {
      const at = listRows(list.current).findIndex((row) => row.contains(event.target as Node));
      if (at !== -1 && areShortcutsOn()) choose(at);
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("focusin", onFocus);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("focusin", onFocus);
    };
  }, []);
  return list;
}

function listRows(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
}

/** Finds the row that a key chooses; null for none. @param at index of the row with the focus, or -1 */
function findNext(key: string, at: number, rows: readonly HTMLElement[], chosen: number): number | null {
  if (key === "j") return at === -1 ? chosen : at + 1;
  if (key === "k") return at === -1 ? chosen : at - 1;
  if (rows[at] === undefined || document.activeElement !== rows[at]) return null;
  if (key === "ArrowDown") return at + 1;
  if (key === "ArrowUp") return at - 1;
  if (key === "Home") return 0;
  return key === "End" ? rows.length - 1 : null;
}

function act(event: KeyboardEvent, row: HTMLElement): void {
  if (event.key === "x") {
    const box = row.querySelector<HTMLInputElement>('input[type="checkbox"]:not(:disabled)');
    if (box) event.preventDefault();
    box?.click();
  } else if (event.key === "Enter" && document.activeElement === row) {
    event.preventDefault();
    (row.querySelector<HTMLElement>("[data-open]") ?? row.querySelector<HTMLElement>("a[href]"))?.click();
  }
}

function markStops(rows: readonly HTMLElement[], chosen: number): void {
  for (const [at, row] of rows.entries()) {
    const stop = at === Math.min(chosen, rows.length - 1) ? 0 : -1;
    row.tabIndex = stop;
    for (const control of row.querySelectorAll<HTMLElement>(FOCUSABLE)) {
      if (stop === 0) control.removeAttribute("tabindex");
      else control.tabIndex = -1;
    }
  }
}
