import { type ReactNode, useEffect, useState } from "react";

interface TabItem {
  /** Fragment of the address, unique on the page. */
  id: string;
  label: string;
  /** A small number after the label. */
  count?: number;
  /** Disables the tab; shown as its title. */
  disabledReason?: string | null;
  /** A function receives true while its panel is open, to load content only then. */
  content: ReactNode | ((open: boolean) => ReactNode);
}

/**
 * Panels behind a row of links. Without JavaScript the address's fragment switches them (`.tabs` in styles.css), with it state
 * does. All panels stay in the page and its form, so that nothing typed is lost.
 */
export function Tabs({ label, items }: { label: string; items: TabItem[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  // An unknown fragment opens the first panel. CSS keeps the fragment's panel open until this effect runs, because a panel that
  // is hidden for a moment would lose the focus.
  useEffect(() => setChosen(window.location.hash.slice(1)), []);
  const open = items.find((item) => item.id === chosen && !item.disabledReason) ?? items[0];
  return (
    <section className="tabs flex min-h-0 flex-col" data-enhanced={chosen === null ? undefined : ""}>
      <nav aria-label={label} className="tab-row">
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
      </nav>
      {items.map((item) => (
        <div key={item.id} id={item.id} className="tab-panel" data-active={item === open ? "" : undefined}>
          {typeof item.content === "function" ? item.content(chosen !== null && item === open) : item.content}
        </div>
      ))}
    </section>
  );
}
