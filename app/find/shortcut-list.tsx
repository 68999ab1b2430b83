import { Form, useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";

interface Shortcut {
  /** Keys in sequence; keys in one text together. */
  keys: readonly string[];
  does: string;
  /** True when it also works with single keys switched off. */
  always?: boolean;
}

const SHORTCUT_GROUPS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: "Everywhere",
    shortcuts: [
      { keys: ["Ctrl K"], does: "Search everything (⌘ K on a Mac)", always: true },
      { keys: ["/"], does: "Go to the page's search, or search everything" },
      { keys: ["g", "b"], does: "Open API Builder" },
      { keys: ["g", "s"], does: "Open Stored Responses" },
      { keys: ["g", "c"], does: "Open User Credits" },
      { keys: ["g", "m"], does: "Open Mail Management" },
      { keys: ["?"], does: "Show this list" },
    ],
  },
  {
    title: "In lists",
    shortcuts: [
      { keys: ["j"], does: "Next row" },
      { keys: ["k"], does: "Previous row" },
      { keys: ["Enter"], does: "Open the row" },
      { keys: ["x"], does: "Select the row" },
    ],
  },
  {
    title: "In the API Builder",
    shortcuts: [
      {
        keys: ["Ctrl Enter"],
        does: "Send a request or a test; live mail is sent by its button only",
        always: true,
      },
    ],
  },
];

/** Lists all shortcuts, with the form that switches single keys on or off by a cookie. */
export function ShortcutList({ on }: { on: boolean }) {
  const { pathname, search } = useLocation();
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-x-10 gap-y-4">
      {SHORTCUT_GROUPS.map(({ title, shortcuts }) => (
        <section key={title} aria-label={title}>
          <h3 className="pb-1 font-semibold text-dim text-small">{title}</h3>
          <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 border-line border-t">
            {shortcuts.map(({ keys, does, always }) => (
              <div
                key={does}
                className={`col-span-2 grid grid-cols-subgrid border-line border-b py-1 ${on || always ? "" : "text-dim line-through"}`}
              >
                <dt>
                  {keys.map((key) => (
                    <kbd
                      key={key}
                      className="wire mr-1 rounded-[4px] border border-line bg-sunken px-1.5 py-0.5"
                    >
                      {key}
                    </kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Form
        method="post"
        action="/preferences"
        preventScrollReset
        className="col-span-full flex flex-wrap items-center gap-3"
      >
        <input type="hidden" name="returnTo" value={pathname + search} />
        <p>Shortcuts of one key are {on ? "on" : "off"} in this browser.</p>
        <button type="submit" name="shortcuts" value={on ? "off" : "on"} className="button">
          {on ? "Turn off" : "Turn on"}
        </button>
      </Form>
    </div>
  );
}

/** Shows all shortcuts over the page. A lazy chunk. */
export function ShortcutDialog({ on, onClose }: { on: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    // In development React runs an effect twice.
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="shortcut-title" onClose={onClose} className="palette">
      <div className="grid max-h-[80vh] gap-3 overflow-y-auto p-4">
        <div className="flex items-center justify-between gap-3">
          <h2 id="shortcut-title" className="text-lead">
            Keyboard shortcuts
          </h2>
          <button type="button" onClick={onClose} className="button button-quiet">
            Close
          </button>
        </div>
        <ShortcutList on={on} />
      </div>
    </dialog>
  );
}
