import { useLocation, useRouteLoaderData } from "@remix-run/react";
import { type ReactNode, useState } from "react";
import type { Scope } from "~/platform/http/token-scopes";

function useRootViewer() {
  const root = useRouteLoaderData("root") as
    | { viewer: { scopes: readonly Scope[]; isFresh: boolean } | null }
    | undefined;
  return root?.viewer ?? null;
}

/** Returns a function that is true for a scope of the viewer. Without a viewer it is true: the login comes first. */
export function useMay(): (scope: Scope) => boolean {
  const viewer = useRootViewer();
  return (scope) => viewer?.scopes.includes(scope) ?? true;
}

/** Shows buttons and forms to people with the scope that the access table demands for them. */
export function May({ scope, children }: { scope: Scope; children: ReactNode }) {
  return useMay()(scope) ? children : null;
}

/** Replaces the button of a page that is for the scope. */
export function MissingScope({ scope }: { scope: Scope }) {
  return <span className="text-dim">You do not have the scope {scope}. Ask an admin for it.</span>;
}

interface FreshOnlyProps {
  /** "create a token" */
  purpose: string;
  typed: boolean;
  children: ReactNode;
}

/**
 * Shows a form to people who signed in a short time ago, and asks the others to sign in again before they type. A form that
 * was shown or refused stays, so that nothing typed is lost; the sign-in then opens in another tab.
 */
export function FreshOnly({ purpose, typed, children }: FreshOnlyProps) {
  const isFresh = useRootViewer()?.isFresh ?? true;
  const [wasFresh] = useState(isFresh);
  const { pathname, search } = useLocation();
  if (isFresh || (wasFresh && !typed)) return children;
  const login = `/api/auth/login?${new URLSearchParams({ fresh: "1", returnTo: pathname + search })}`;
  return (
    <div className="grid content-start gap-3">
      <p>
        To {purpose}, confirm that it is you.{" "}
        <a href={login} className="link" target={typed ? "_blank" : undefined} rel="noreferrer">
          Sign in again
        </a>
        {typed ? " in a new tab, then come back and repeat it." : "."}
      </p>
      {typed ? children : null}
    </div>
  );
}
