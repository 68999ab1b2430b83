import { Form, Link, NavLink, useLocation } from "@remix-run/react";
import { formatCount, formatInteger } from "~/platform/format-integer";
import type { Scope } from "~/platform/http/token-scopes";
import { Absent } from "~/ui/fact";
import { BALANCE_THRESHOLDS } from "./catalogue/prices";
import { HeaderSearch } from "./find/header-search";
import { heldAddress } from "./mail/mail-address";

interface HeaderData {
  viewer: { displayName: string; email: string | null; scopes: readonly Scope[] } | null;
  hasServerKey: boolean;
  /** Chosen user and their credits; null when they cannot be loaded. */
  account: { userId: string; displayName: string; available: number; held: number; isViewer: boolean } | null;
  /** Balance and calls left at the provider; null when unknown. */
  headroom: { balance: string | null; calls: { limit: number; left: number } | null } | null;
  /** Open alarms; also 0 when they cannot be counted. */
  openAlarms: number;
  shortcuts: "on" | "off";
}

/** Tabs with the start of the addresses of their further pages. */
const TABS = [
  { to: "/", label: "API Builder", pages: [] },
  { to: "/stored", label: "Stored Responses", pages: [] },
  { to: "/users", label: "User Credits", pages: ["/purchases", "/insights"] },
  { to: "/mail", label: "Mail Management", pages: ["/sends", "/bulk", "/recipients"] },
];

export function Header({ root, pathname }: { root: HeaderData | null; pathname: string }) {
  const { search } = useLocation();
  const returnTo = pathname + search;
  const mayRead = root?.viewer?.scopes.includes("read") ?? true;
  return (
    <>
      <a href="#main" className="sr-only focus:not-sr-only">
        Skip to the page
      </a>
      <div className="stripe" aria-hidden />
      <header className="flex min-h-12 flex-wrap items-stretch gap-x-5 border-line border-b bg-surface px-4 max-sm:gap-x-1 max-sm:px-3">
        <Link to="/" className="flex items-center gap-2 py-2 font-bold text-lead tracking-tight">
          <Mark />
          Mailroom
        </Link>
        <nav
          aria-label="Tabs"
          className="flex flex-wrap gap-x-5 max-md:order-last max-md:w-full max-md:gap-x-4 max-sm:grid max-sm:grid-cols-4 max-sm:gap-x-1"
        >
          {(mayRead ? TABS : []).map((tab) => (
            <NavLink
              key={tab.to}
              to={tab.to}
              data-early
              end={tab.to === "/"}
              className={({ isActive }) =>
                `flex items-center whitespace-nowrap border-b-2 py-2 max-sm:justify-center max-sm:whitespace-normal max-sm:py-1 max-sm:text-center max-sm:text-small max-sm:leading-4 ${
                  isActive || tab.pages.some((page) => pathname.startsWith(page))
                    ? "border-ink font-medium"
                    : "border-transparent text-dim hover:text-ink"
                }`
              }
            >
              {tab.label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-x-2 py-1.5 max-sm:gap-x-1">
          {root?.viewer && mayRead ? <HeaderSearch shortcutsOn={root.shortcuts === "on"} /> : null}
          {root ? <KeyIndicator hasServerKey={root.hasServerKey} headroom={root.headroom} /> : null}
          {root && root.openAlarms > 0 ? (
            <Link to="/alarms" className="rounded-full bg-warn-wash px-2.5 py-0.5 font-semibold text-warn">
              {formatCount(root.openAlarms, "alarm")}
            </Link>
          ) : null}
          {root?.account ? <Credits account={root.account} /> : null}
          {root?.viewer ? (
            <PersonMenu key={returnTo} viewer={root.viewer} account={root.account} returnTo={returnTo} />
          ) : root ? (
            <>
              <ThemeSwitch returnTo={returnTo} className="button button-quiet text-dim" />
              <a
                href={`/api/auth/login?${new URLSearchParams({ returnTo })}`}
                className="button button-primary"
              >
                Log in
              </a>
            </>
          ) : null}
        </div>
      </header>
    </>
  );
}

function Mark() {
  return (
    <svg aria-hidden width="22" height="15" viewBox="0 0 22 15" fill="none" stroke="currentColor">
      <rect x=".7" y=".7" width="20.6" height="13.6" rx="2" strokeWidth="1.4" />
      <path d="m1.5 1.8 7.4 6.4a3.2 3.2 0 0 0 4.2 0l7.4-6.4M1.5 13.2l6-5.6m13 5.6-6-5.6" strokeWidth="1.2" />
    </svg>
  );
}

function KeyIndicator({ hasServerKey, headroom }: Pick<HeaderData, "hasServerKey" | "headroom">) {
  const label = (
    <>
      <span aria-hidden className={`size-1.5 shrink-0 rounded-full ${hasServerKey ? "bg-ok" : "bg-warn"}`} />
      <span className="max-lg:sr-only">
        {hasServerKey ? "Server key detected (secure)" : "No server key configured"}
      </span>
    </>
  );
  if (!headroom) return <span className="flex items-center gap-1.5 px-2 text-dim">{label}</span>;
  return (
    <>
      <button
        type="button"
        popovertarget="provider-account"
        className="flex min-h-[30px] min-w-[24px] cursor-pointer items-center justify-center gap-1.5 rounded-[6px] px-2 text-dim max-sm:px-1 hover:bg-sunken hover:text-ink"
      >
        {label}
      </button>
      <div id="provider-account" popover="auto" className="menu">
        <dl className="grid grid-cols-[auto_auto] gap-x-6 gap-y-1 px-2.5 py-1.5 tabular-nums">
          <dt className="text-dim">Balance at the provider</dt>
          <dd className="text-right">{headroom.balance ?? <Absent />}</dd>
          <dt className="text-dim">Calls left this minute</dt>
          <dd className="text-right">
            {headroom.calls ? (
              <>
                {formatInteger(headroom.calls.left)} of {formatInteger(headroom.calls.limit)}
              </>
            ) : (
              <Absent />
            )}
          </dd>
        </dl>
        <p className="px-2.5 pb-1.5 text-dim text-small">
          The provider's latest values, in the account's currency.
        </p>
      </div>
    </>
  );
}

function Credits({ account }: { account: NonNullable<HeaderData["account"]> }) {
  const { userId, displayName, available, held, isViewer } = account;
  return (
    <span className="flex items-center whitespace-nowrap">
      <Link
        to="/users"
        title={`Credits of ${displayName}`}
        className="flex min-h-[30px] items-center gap-1 whitespace-nowrap rounded-[6px] px-2 max-sm:px-1 hover:bg-sunken"
      >
        {isViewer ? null : <span className="max-w-32 truncate max-sm:hidden">{displayName}:</span>}
        <strong className={`tabular-nums ${available < BALANCE_THRESHOLDS.low ? "text-warn" : ""}`}>
          {formatInteger(available)}
        </strong>
        <span className="text-dim">{available === 1 ? "credit" : "credits"}</span>
      </Link>
      {held > 0 ? (
        <Link
          to={heldAddress(userId)}
          title={`Pieces of ${displayName} that hold credits`}
          className="flex min-h-[30px] items-center rounded-[6px] px-2 text-dim hover:bg-sunken max-lg:hidden"
        >
          {formatInteger(held)} reserved
        </Link>
      ) : null}
    </span>
  );
}

function PersonMenu({
  viewer,
  account,
  returnTo,
}: {
  viewer: NonNullable<HeaderData["viewer"]>;
  account: HeaderData["account"];
  returnTo: string;
}) {
  return (
    <>
      <button
        type="button"
        popovertarget="person-menu"
        title={viewer.displayName}
        className="flex min-h-[30px] cursor-pointer items-center gap-2 rounded-[6px] px-2 hover:bg-sunken"
      >
        <span
          aria-hidden
          className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-wash font-semibold text-accent text-small"
        >
          {(Array.from(viewer.displayName)[0] ?? "").toUpperCase()}
        </span>
        <span className="max-w-40 truncate font-medium max-lg:sr-only">{viewer.displayName}</span>
      </button>
      <div id="person-menu" popover="auto" className="menu">
        {viewer.email ? <p className="px-2.5 py-1 text-dim text-small">{viewer.email}</p> : null}
        {/* On narrow screens it does not fit beside the balance. */}
        {account && account.held > 0 ? (
          <Link to={heldAddress(account.userId)} className="menu-entry lg:hidden">
            {formatCount(account.held, "credit")} reserved
          </Link>
        ) : null}
        <Link to="/profile" className="menu-entry">
          Profile
        </Link>
        <Link to="/profile#keyboard" className="menu-entry">
          Keyboard shortcuts
        </Link>
        <ThemeSwitch returnTo={returnTo} className="menu-entry" />
        <a href="/api/auth/logout" className="menu-entry">
          Log out
        </a>
      </div>
    </>
  );
}

/** A form, so that it works before JavaScript; the choice is a cookie, so that the first HTML has it. */
function ThemeSwitch({ returnTo, className }: { returnTo: string; className: string }) {
  return (
    <Form method="post" action="/preferences" preventScrollReset>
      <input type="hidden" name="returnTo" value={returnTo} />
      <button type="submit" name="theme" value="dark" className={`${className} to-dark`}>
        Dark theme
      </button>
      <button type="submit" name="theme" value="light" className={`${className} to-light`}>
        Light theme
      </button>
    </Form>
  );
}
