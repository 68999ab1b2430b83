import { Form, Link, NavLink, useLocation } from "@remix-run/react";
import { BALANCE_THRESHOLDS } from "./catalogue/prices";

/** What the root loader tells of the visit. */
interface HeaderData {
  viewer: { displayName: string; email: string | null } | null;
  hasServerKey: boolean;
  /** Whom this browser acts for, and what they have to spend; null where credits cannot be read. */
  account: { displayName: string; available: number; held: number; isViewer: boolean } | null;
  /** What is left at the provider; null where that is not known. */
  headroom: { balance: string | null; calls: { limit: number; left: number } | null } | null;
}

const TABS = [
  { to: "/", label: "API Builder" },
  { to: "/stored", label: "Stored Responses" },
  { to: "/users", label: "User Credits" },
  { to: "/mail", label: "Mail Management" },
];

/** Title, the four tabs, the server-key indicator, the theme and who is signed in. */
export function Header({ root, pathname }: { root: HeaderData | null; pathname: string }) {
  const { search } = useLocation();
  const loginAddress = `/api/auth/login?${new URLSearchParams({ returnTo: pathname + search })}`;
  return (
    <>
      <a href="#main" className="sr-only focus:not-sr-only">
        Skip to the page
      </a>
      <div className="stripe" aria-hidden />
      <header className="flex min-h-12 flex-wrap items-stretch gap-x-4 border-line border-b bg-surface px-4 max-sm:px-3">
        <Link to="/" className="flex items-center gap-2 py-2 font-bold text-[16px]">
          <svg aria-hidden width="22" height="15" viewBox="0 0 22 15" fill="none" stroke="currentColor">
            <rect x=".7" y=".7" width="20.6" height="13.6" rx="2" strokeWidth="1.4" />
            <path
              d="m1.5 1.8 7.4 6.4a3.2 3.2 0 0 0 4.2 0l7.4-6.4M1.5 13.2l6-5.6m13 5.6-6-5.6"
              strokeWidth="1.2"
            />
          </svg>
          Mailroom
        </Link>
        <nav aria-label="Tabs" className="flex flex-wrap gap-x-4 max-md:order-last max-md:w-full">
          {TABS.map((tab) => (
            <NavLink
              key={tab.to}
              to={tab.to}
              end={tab.to === "/"}
              className={({ isActive }) =>
                `flex items-center whitespace-nowrap border-b-2 py-2 max-sm:py-1 ${
                  isActive ? "border-ink" : "border-transparent text-dim hover:text-ink"
                }`
              }
            >
              {tab.label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
          {root ? <KeyIndicator hasServerKey={root.hasServerKey} /> : null}
          {root?.headroom ? <Headroom headroom={root.headroom} /> : null}
          {root?.account ? <Credits account={root.account} /> : null}
          <ThemeSwitch returnTo={pathname} />
          {root?.viewer ? (
            <span className="flex items-center gap-2">
              <Link
                to="/profile"
                className="max-w-48 truncate font-semibold hover:underline"
                title={root.viewer.email ?? ""}
              >
                {root.viewer.displayName}
              </Link>
              {root.viewer.displayName === "You" ? null : <span className="text-dim">You</span>}
              <a href="/api/auth/logout" className="link">
                Log out
              </a>
            </span>
          ) : (
            <a href={loginAddress} className="button button-primary">
              Log in
            </a>
          )}
        </div>
      </header>
    </>
  );
}

function KeyIndicator({ hasServerKey }: { hasServerKey: boolean }) {
  return (
    <span className="flex items-center gap-1.5 rounded-full border border-line px-2.5 py-0.5">
      <span aria-hidden className={`size-1.5 rounded-full ${hasServerKey ? "bg-ok" : "bg-warn"}`} />
      {hasServerKey ? "Server key detected (secure)" : "No server key configured"}
    </span>
  );
}

/** Not on small screens, where what one came for needs the room. */
function Headroom({ headroom: { balance, calls } }: { headroom: NonNullable<HeaderData["headroom"]> }) {
  const known = [
    ...(balance === null ? [] : [balance]),
    ...(calls === null
      ? []
      : [`${calls.left.toLocaleString("en")} of ${calls.limit.toLocaleString("en")} calls left`]),
  ];
  return (
    <span
      title="At the provider, as last heard: the account's balance in its own currency, and the calls left in this minute"
      className="text-[12px] text-dim tabular-nums max-lg:hidden"
    >
      Provider {known.join(" · ")}
    </span>
  );
}

function Credits({ account }: { account: NonNullable<HeaderData["account"]> }) {
  const { displayName, available, held, isViewer } = account;
  return (
    <Link
      to="/users"
      title={`Credits of ${displayName}`}
      className="flex items-baseline gap-1 rounded-full border border-line px-2.5 py-0.5 hover:border-edge"
    >
      {isViewer ? null : <span className="max-w-32 truncate">{displayName}:</span>}
      <strong className={`tabular-nums ${available < BALANCE_THRESHOLDS.low ? "text-live" : ""}`}>
        {available.toLocaleString("en")}
      </strong>
      <span className="text-dim">
        {available === 1 ? "credit" : "credits"}
        {held > 0 ? ` · ${held} held` : ""}
      </span>
    </Link>
  );
}

/** A form, so that it works before JavaScript; the choice is a cookie, so that the first HTML has it. */
function ThemeSwitch({ returnTo }: { returnTo: string }) {
  const { search } = useLocation();
  return (
    <Form method="post" action="/preferences" preventScrollReset>
      <input type="hidden" name="returnTo" value={returnTo + search} />
      <button type="submit" name="theme" value="dark" className="button button-quiet to-dark text-dim">
        Dark<span className="sr-only"> theme</span>
      </button>
      <button type="submit" name="theme" value="light" className="button button-quiet to-light text-dim">
        Light<span className="sr-only"> theme</span>
      </button>
    </Form>
  );
}
