import { Form, Link, useNavigate } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { areShortcutsOn, isShortcut } from "~/ui/keys";
import { makeLazyModule } from "~/ui/lazy-module";
import { setUnanswered } from "~/ui/page-fetch";

const palette = makeLazyModule(() => import("./palette"));
const shortcuts = makeLazyModule(() => import("./shortcut-list"));

/** Pages that `g` and one more key open. */
const TAB_KEYS: Readonly<Record<string, string>> = { b: "/", s: "/stored", c: "/users", m: "/mail" };

type Opened = "search" | "shortcuts" | null;
/** Limit of the time between `g` and the second key. */
const CHORD_MS = 1_500;

/** Shows the search in the header: a form, and a palette. Also handles the shortcuts of every page. */
export function HeaderSearch({ shortcutsOn }: { shortcutsOn: boolean }) {
  const [opened, setOpened] = useState<Opened>(null);
  /** A dialog reports late that it was closed: the other one may be open by then. */
  const close = (what: Opened) => setOpened((now) => (now === what ? null : now));
  const search = palette.useModule(opened === "search");
  const help = shortcuts.useModule(opened === "shortcuts");
  const open = async (what: "search" | "shortcuts") => {
    const loaded = await (what === "search" ? palette : shortcuts).load();
    if (loaded) setOpened(what);
    else setUnanswered({ intent: null, answer: null, unchanged: true });
  };
  useShortcuts(open);
  return (
    <>
      <Form method="post" action="/search" className="relative flex items-center max-lg:hidden">
        <input
          name="q"
          aria-label="Search everything"
          placeholder="Search"
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          data-search="everything"
          aria-keyshortcuts="Control+K Meta+K"
          onFocus={palette.load}
          onPointerEnter={palette.load}
          className="control peer w-40"
        />
        <kbd
          aria-hidden
          className="needs-script pointer-events-none absolute right-2 text-dim text-small peer-focus:hidden"
        >
          Ctrl K
        </kbd>
      </Form>
      <Link
        to="/search"
        aria-label="Search"
        className="flex min-h-[30px] items-center rounded-[6px] px-2 text-dim hover:bg-sunken hover:text-ink lg:hidden"
      >
        <Glass />
      </Link>
      {search ? <search.Palette onClose={() => close("search")} /> : null}
      {help ? <help.ShortcutDialog on={shortcutsOn} onClose={() => close("shortcuts")} /> : null}
    </>
  );
}

/** Handles Ctrl or Cmd with K, and single keys if they are on. None of them sends anything. */
function useShortcuts(open: (what: "search" | "shortcuts") => void): void {
  const navigate = useNavigate();
  const waiting = useRef(0);
  const now = useRef({ navigate, open });
  now.current = { navigate, open };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (isCommand && event.key.toLowerCase() === "k") {
        event.preventDefault();
        now.current.open("search");
        return;
      }
      if (!areShortcutsOn() || !isShortcut(event)) return;
      const to = performance.now() - waiting.current < CHORD_MS ? TAB_KEYS[event.key] : undefined;
      waiting.current = event.key === "g" ? performance.now() : 0;
      if (to !== undefined) now.current.navigate(to);
      else if (event.key === "?") now.current.open("shortcuts");
      else if (event.key === "/") focusSearch() || now.current.open("search");
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

/** Focuses the page's own search field; false without one. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"], main #search-query');
  field?.focus();
  return field !== null && document.activeElement === field;
}

function Glass() {
  return (
    <svg
      aria-hidden
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    >
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 4 4" />
    </svg>
  );
}
