import { useRouteLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import type { Scope } from "~/platform/http/token-scopes";

/** Returns a function that is true for a scope of the viewer. Without a viewer it is true: the login comes first. */
export function useMay(): (scope: Scope) => boolean {
  const root = useRouteLoaderData("root") as { viewer: { scopes: readonly Scope[] } | null } | undefined;
  return (scope) => root?.viewer?.scopes.includes(scope) ?? true;
}

/** Shows buttons and forms to people with the scope that the access table demands for them. */
export function May({ scope, children }: { scope: Scope; children: ReactNode }) {
  return useMay()(scope) ? children : null;
}
