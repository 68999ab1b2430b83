import type { Outcome } from "../outcome";

export const TOKEN_SCOPES = ["read", "send:test", "send:live", "credits"] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Scopes of people. `others` allows acting for other users. */
export const SCOPES = [...TOKEN_SCOPES, "others", "admin"] as const;

export type Scope = (typeof SCOPES)[number];

/** The scope that a route requires; `by-request`: the room derives it from the request. */
export type RequiredScope = Scope | "by-request";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** The scope that a token needs for the route; absent: it accepts no tokens. */
    scope?: RequiredScope | undefined;
    /** Checks the scope that the route's row in the access table needs for an intent of its form. */
    checkIntent?: (intent: string) => Promise<Outcome<null>>;
  }
}
