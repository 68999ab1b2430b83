import { Form, Link, useLocation } from "@remix-run/react";
import { type RefObject, useEffect, useRef } from "react";
import { Badge } from "~/ui/badge";
import { CopyButton } from "~/ui/copy-button";
import { Absent } from "~/ui/fact";
import { useMay } from "~/ui/may";
import { Moment } from "~/ui/moment";
import type { ItemRow } from "./mail-view.server";
import { addressWithQuestion, formatPlaceAndUser } from "./piece-filter";

/** The form that the check boxes of the list belong to. */
export const CHOSEN_FORM = "chosen";

const TYPES = { letter: "Letter", postcard: "Postcard" };

/** Draws the icons of the types once; each row refers to them. One path each, because the browser copies it for each row. */
export function TypeIcons() {
  return (
    <svg aria-hidden className="hidden">
      <path
        id="icon-letter"
        d="M9.5 1.5H4a1 1 0 0 0-1 1v11a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1V5zV5H13M6 8.5h4.5M6 11.3h4.5"
      />
      <path
        id="icon-postcard"
        d="M2.5 3h11a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM1.5 4.5 8 8.8l6.5-4.3"
      />
    </svg>
  );
}

/** Shows one piece as a row, or as a card on a small screen. All of it links to the page of the piece. */
export function PieceRow({ item, chosen, search }: { item: ItemRow; chosen: boolean; search: string }) {
  const name = item.addressee ?? "not named";
  const shown = item.addressee ?? <Absent why="not named" />;
  return (
    <tr
      data-row
      className="relative isolate border-line border-b hover:bg-sunken max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-3 max-sm:py-2 max-sm:pl-9 has-[details[open]]:z-20"
    >
      <td className="w-9 py-2 pl-2 max-sm:-ml-9 max-sm:w-6 max-sm:py-0">
        <input
          type="checkbox"
          name="item"
          value={item.id}
          form={CHOSEN_FORM}
          defaultChecked={chosen}
          aria-label={`Choose the ${item.type} to ${name}`}
          className="peer relative z-10 block size-4"
        />
        <span aria-hidden className="absolute inset-0 -z-10 hidden bg-accent-wash peer-checked:block" />
      </td>
      <td className="min-w-[10rem] max-w-[28rem] py-1.5 pr-5 pl-2 [overflow-wrap:anywhere] max-sm:min-w-0 max-sm:flex-1 max-sm:basis-[calc(100%-7rem)] max-sm:p-0">
        {item.isTest ? (
          <span className="font-medium">{shown}</span>
        ) : (
          <Link to={`/sends/${item.id}`} className="font-medium after:absolute after:inset-0 hover:underline">
            {shown}
          </Link>
        )}
        {item.place || item.user ? <span className="block text-dim">{formatPlaceAndUser(item)}</span> : null}
      </td>
      <td className="whitespace-nowrap py-1.5 pr-5 pl-2 max-sm:order-1 max-sm:p-0">
        <span className="flex items-center gap-2">
          <svg aria-hidden width="16" height="16" className="shrink-0 fill-none stroke-dim">
            <use href={`#icon-${item.type}`} />
          </svg>
          {TYPES[item.type]}
        </span>
      </td>
      <td className="py-1.5 pr-5 pl-2 max-sm:order-2 max-sm:p-0">
        <span className="flex flex-wrap items-center gap-1.5" title={item.meaning}>
          <Badge tone={item.tone}>{item.status}</Badge>
          {item.isTest ? <Badge tone="neutral">Test Item</Badge> : null}
          {item.hasAlarm ? <Badge tone="warn">alarm</Badge> : null}
        </span>
        {item.isCancelled ? (
          <span className="block text-dim text-small">
            <Moment at={item.cancelledAt} />
            {item.cancellationReason ? `, ${item.cancellationReason}` : ""}
          </span>
        ) : null}
      </td>
      <td className="py-1.5 pr-5 pl-2 text-dim max-sm:order-3 max-sm:p-0">
        <Moment at={item.createdAt} />
      </td>
      <td className="whitespace-nowrap py-1.5 pr-5 pl-2 text-right tabular-nums max-sm:order-4 max-sm:ml-auto max-sm:p-0 max-sm:pr-2">
        {item.credits}
        {item.isHeld ? null : <span className="text-dim sm:hidden"> cr.</span>}
      </td>
      <td className="w-10 py-1 pr-1 max-sm:w-auto max-sm:p-0">
        <RowMenu item={item} search={search} />
      </td>
    </tr>
  );
}

const REFRESH_FORM = "refresh-one";

/**
 * Shows the actions on one piece of the list; opens without JavaScript.
 * @param search the list's, without a question
 */
function RowMenu({ item, search }: { item: ItemRow; search: string }) {
  const may = useMay();
  const subject = item.addressee ? `of the ${item.type} to ${item.addressee}` : `of this ${item.type}`;
  return (
    <details name="mail-row-menu" className="relative z-10">
      <summary
        aria-label={`Actions ${subject}`}
        className="icon-button list-none font-bold text-[16px] text-dim hover:bg-line/60 hover:text-ink"
      >
        ···
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

/** The form of every "Refresh status" entry. */
export function RefreshForm() {
  const { search } = useLocation();
  return (
    <Form
      id={REFRESH_FORM}
      method="post"
      action={addressWithQuestion(search)}
      preventScrollReset
      className="hidden"
    >
      <input type="hidden" name="intent" value="refresh" />
    </Form>
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
