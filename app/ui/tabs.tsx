import { type ReactNode, useEffect, useState } from "react";

export interface TabItem {
  /** Unique on the page, because it is the fragment of the address. */
  id: string;
  label: string;
  /** A small number after the label. */
  count?: number;
  /** Why the tab is disabled; shown as its title. */
  disabledReason?: string | null;
  /** A function is told whether its panel is open, for what is loaded only then. */
  content: ReactNode | ((open: boolean) => ReactNode);
}

/**
 * Panels behind a row of links. Without JavaScript the address's fragment switches them (`.tabs` in styles.css), so that
 * nothing typed is lost; with it, state does. All panels stay in the page and in its form.
 */
export function Tabs({ label, items, aside }: { label: string; items: TabItem[]; aside?: ReactNode }) {
  const [chosen, setChosen] = useState<string | null>(null);
  // The fragment of the address; an unknown one opens the first panel. Until this effect runs, CSS keeps the fragment's
  // panel open: a panel that is hidden for a moment would lose the focus.
  useEffect(() => setChosen(window.location.hash.slice(1)), []);
  const open = items.find((item) => item.id === chosen && !item.disabledReason) ?? items[0];
  return (
    <section className="tabs flex min-h-0 flex-col" data-enhanced={chosen === null ? undefined : ""}>
      <nav aria-label={label} className="tab-row scrolls">
        {items.map((item) =>
          item.disabledReason ? (
            <button
              key={item.id}
              type="button"
              disabled
              className="tab cursor-not-allowed opacity-70"
              title={item.disabledReason}
            >
              {item.label}
            </button>
          ) : (
            <a
              key={item.id}
              href={`#${item.id}`}
              className="tab"
              aria-current={item === open ? "true" : undefined}
              onClick={(event) => {
                event.preventDefault();
                setChosen(item.id);
              }}
            >
              {item.label}
              {item.count ? (
                <span className="ml-1 text-small text-dim tabular-nums">{item.count}</span>
              ) : null}
            </a>
          ),
        )}
        {aside ? <span className="ml-auto self-center">{aside}</span> : null}
      </nav>
      {items.map((item) => (
        <div key={item.id} id={item.id} className="tab-panel" data-active={item === open ? "" : undefined}>
          {typeof item.content === "function" ? item.content(chosen !== null && item === open) : item.content}
        </div>
      ))}
    </section>
  );
}
