import { Form, Link, useLocation } from "@remix-run/react";
import { Ellipsis } from "lucide-react";
import { useEffect, useRef } from "react";
import { CopyButton } from "~/ui/copy-button";
import { addressWithQuestion, type ItemRow } from "./mail-view";

/** What can be done with one piece of the list. Opens without JavaScript; with it a click elsewhere or Escape closes it. */
export function RowMenu({ item }: { item: ItemRow }) {
  const { search, key } = useLocation();
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const { current } = menu;
      if (!current?.open) return;
      const inside = event.target instanceof Node && current.contains(event.target);
      if (event instanceof KeyboardEvent ? event.key !== "Escape" : inside) return;
      current.open = false;
      if (inside) current.querySelector("summary")?.focus();
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close);
    };
  }, []);
  // What was chosen has led somewhere.
  useEffect(() => {
    if (key && menu.current) menu.current.open = false;
  }, [key]);
  const about = item.addressee ? `of the ${item.type} to ${item.addressee}` : `of this ${item.type}`;
  return (
    <details ref={menu} name="mail-row-menu" className="relative z-10">
      <summary
        aria-label={`Actions ${about}`}
        className="flex size-[30px] list-none items-center justify-center rounded-[6px] text-dim hover:bg-line/60 hover:text-ink [&::-webkit-details-marker]:hidden"
      >
        <Ellipsis aria-hidden size={16} />
      </summary>
      <div className="absolute top-full right-0 z-20 grid w-max min-w-40 rounded-[6px] border border-edge bg-surface p-1 shadow-lg">
        {item.refreshable ? (
          <Form method="post" action={addressWithQuestion(search)} preventScrollReset>
            <input type="hidden" name="item" value={item.id} />
            <button
              type="submit"
              name="intent"
              value="refresh"
              className="menu-entry"
              aria-label={`Refresh ${item.mailItemId}`}
            >
              Refresh status
            </button>
          </Form>
        ) : null}
        {item.obstacle ? (
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
        {item.isTest ? null : (
          <Link to={`/?${new URLSearchParams({ response: item.id, again: "1" })}`} className="menu-entry">
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
