import { data, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useRouteLoaderData,
} from "@remix-run/react";
import { type ReactNode, useContext, useEffect, useState } from "react";
import { loadOpenAlarmCount } from "~/alarms/alarm-record.server";
import { loadCurrentAccount } from "~/credits/credit-users.server";
import { LowBalance } from "~/credits/low-balance/low-balance";
import { parsePreferences } from "~/platform/http/preferences.server";
import { refreshSession } from "~/platform/http/session.server";
import { ErrorScreen, findTitle } from "./error-screen";
import { Header } from "./header";
import { getHeadroom } from "./outside/mail-provider/headroom.server";
import { parseAuthError } from "./people/login.server";
import { findViewer, isFresh } from "./people/viewer.server";
import { env } from "./platform/env.server";
import sheet from "./styles.css?url";
import { NetworkNotice } from "./ui/network-notice";
import { Notice } from "./ui/notice";
import { PageHead } from "./ui/page-head";
import { useHydrated } from "./ui/use-hydrated";

export const links: LinksFunction = () => [{ rel: "icon", href: "/icon.svg", type: "image/svg+xml" }];

export const meta: MetaFunction = ({ error }) => [
  { title: error ? `${findTitle(error)} · Mailroom` : "Mailroom" },
  { name: "description", content: "The console for a direct-mail account." },
];

export async function loader({ request }: LoaderFunctionArgs) {
  const [viewer, preferences, authError] = await Promise.all([
    findViewer(request),
    parsePreferences(request),
    parseAuthError(request),
  ]);
  const reader = viewer?.scopes.includes("read") ? viewer : null;
  const [account, alarms] = await Promise.all([
    reader && loadCurrentAccount(reader, preferences.userId ?? null),
    reader && loadOpenAlarmCount(),
  ]);
  const headers = new Headers();
  for (const cookie of [authError.setCookie, await refreshSession(request)]) {
    if (cookie) headers.append("Set-Cookie", cookie);
  }
  return data(
    {
      viewer: viewer && {
        displayName: viewer.displayName,
        email: viewer.email,
        scopes: viewer.scopes,
        isFresh: isFresh(viewer),
      },
      hasServerKey: env().providerKey !== null,
      account: viewer && account && { ...account, isViewer: account.userId === viewer.id },
      headroom: reader && getHeadroom(),
      openAlarms: alarms?.ok ? alarms.value : 0,
      authError: authError.message,
      theme: preferences.theme ?? null,
      shortcuts: preferences.shortcuts ?? "on",
    },
    { headers },
  );
}

/** Skips a reload for another filter or page of a list, and for a form without an answer (503). */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formMethod,
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  if (actionStatus === 503) return false;
  const sameList = currentUrl.pathname === nextUrl.pathname && currentUrl.pathname !== "/";
  const narrowed = sameList && currentUrl.search !== nextUrl.search && formMethod === undefined;
  return narrowed ? false : defaultShouldRevalidate;
}

/** True once the typefaces are loaded. Showing both at once lays the page out one time instead of three. */
function useTypefaces(): boolean {
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    const loading = ["Inter Variable", "JetBrains Mono Variable"].map((name) =>
      document.fonts.load(`1em "${name}"`),
    );
    void Promise.allSettled(loading).then(() => setLoaded(true));
  }, []);
  return loaded;
}

/** HTML of every page, also of errors. */
export function Layout({ children }: { children: ReactNode }) {
  const { nonce, styles } = useContext(PageHead);
  const root = useRouteLoaderData<typeof loader>("root");
  const hydrated = useHydrated();
  const hasTypefaces = useTypefaces();
  return (
    <html
      lang="en"
      data-theme={root?.theme ?? undefined}
      data-shortcuts={root?.shortcuts}
      data-script={hydrated ? "ready" : undefined}
      data-typefaces={hasTypefaces || styles === null ? "" : undefined}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Meta />
        {styles === null ? (
          <link rel="stylesheet" href={sheet} />
        ) : (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet
          <style data-sheet dangerouslySetInnerHTML={{ __html: styles }} />
        )}
        <Links />
      </head>
      <body className="flex flex-col">
        {children}
        <NetworkNotice />
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  const root = useRouteLoaderData<typeof loader>("root");
  const { pathname, search } = useLocation();
  const account = root?.account;
  return (
    <>
      <Header root={root ?? null} pathname={pathname} />
      {account && account.low !== null ? (
        <LowBalance account={{ ...account, low: account.low }} returnTo={pathname + search} />
      ) : null}
      {root?.authError ? (
        <div className="border-line border-b p-3">
          <Notice tone="bad" title="Auth Error" urgent>
            {root.authError}
          </Notice>
        </div>
      ) : null}
      <main id="main" className="flex flex-1 flex-col">
        <Outlet />
      </main>
    </>
  );
}

export function ErrorBoundary() {
  const root = useRouteLoaderData<typeof loader>("root");
  const { pathname } = useLocation();
  return (
    <>
      <Header root={root ?? null} pathname={pathname} />
      <ErrorScreen />
    </>
  );
}
