import { Form, Link, useLocation } from "@remix-run/react";
import { Ellipsis } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import { CopyButton } from "~/ui/copy-button";
import { useMay } from "~/ui/may";
import { addressWithQuestion } from "./mail-view";
import type { ItemRow } from "./piece-rows.server";

/** The one form of all "Refresh status" entries. */
const REFRESH_FORM = "refresh-one";

/**
 * Shows the actions on one piece of the list; opens without JavaScript.
 * @param search the list's, without a question
 */
export function RowMenu({ item, search }: { item: ItemRow; search: string }) {
  const may = useMay();
  const subject = item.addressee ? `of the ${item.type} to ${item.addressee}` : `of this ${item.type}`;
  return (
    <details name="mail-row-menu" className="relative z-10">
      <summary
        aria-label={`Actions ${subject}`}
        className="icon-button list-none text-dim hover:bg-line/60 hover:text-ink"
      >
        <svg aria-hidden width="16" height="16">
          <use href="#icon-menu" />
        </svg>
      </summary>
      <div className="absolute top-full right-0 z-20 grid w-max min-w-40 rounded-[6px] border border-edge bg-surface p-1 shadow-lg">
        {item.refreshable ? (
          <button
            type="submit"
            form={REFRESH_FORM}
            name="item"
            value={item.id}
            className="menu-entry"
            aria-label={`Refresh ${item.mailItemId}`}
          >
            Refresh status
          </button>
        ) : null}
        {!may("send:live") ? null : item.obstacle ? (
          <button
            type="button"
            className="menu-entry cursor-not-allowed text-dim"
            disabled
            title={item.obstacle}
          >
            Cancel
          </button>
        ) : (
          <Link
            to={addressWithQuestion(search, { cancel: [item.id] })}
            preventScrollReset
            className="menu-entry"
          >
            Cancel
          </Link>
        )}
        {item.isTest || !may("send:test") ? null : (
          <Link to={`/?response=${item.id}&again=1`} className="menu-entry">
            Send again
          </Link>
        )}
        {item.mailItemId === null || item.isTest ? null : (
          <CopyButton text={item.mailItemId} label={`Copy ID ${item.mailItemId}`} menu />
        )}
      </div>
    </details>
  );
}

/** Renders the part that all menus share. */
export function RowMenus() {
  const { search } = useLocation();
  return (
    <>
      <Form
        id={REFRESH_FORM}
        method="post"
        action={addressWithQuestion(search)}
        preventScrollReset
        className="hidden"
      >
        <input type="hidden" name="intent" value="refresh" />
      </Form>
      <svg aria-hidden className="hidden">
        <Ellipsis id="icon-menu" size={16} />
      </svg>
    </>
  );
}

/** Closes an open menu of the list after a click elsewhere, by Escape, and after a navigation. */
export function useClosingMenus(list: RefObject<HTMLElement>): void {
  const { key } = useLocation();
  const shown = useRef(key);
  useEffect(() => {
    // A menu that was opened before hydration stays open.
    if (shown.current === key) return;
    shown.current = key;
    const menu = findOpenMenu(list);
    if (menu) menu.open = false;
  }, [key, list]);
  useEffect(() => {
    const close = (event: Event) => {
      const open = findOpenMenu(list);
      if (!open) return;
      const inside = event.target instanceof Node && open.contains(event.target);
      if (event instanceof KeyboardEvent ? event.key !== "Escape" : inside) return;
      open.open = false;
      if (inside) open.querySelector("summary")?.focus();
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close);
    };
  }, [list]);
}

function findOpenMenu(list: RefObject<HTMLElement>): HTMLDetailsElement | null {
  return list.current?.querySelector<HTMLDetailsElement>("details[open]") ?? null;
}
