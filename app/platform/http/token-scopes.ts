/** Scopes of a personal access token. */
export const TOKEN_SCOPES = ["read", "send:test", "send:live", "credits"] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** The scope that a route requires; `by-request`: the room derives it from the request. */
export type RequiredScope = TokenScope | "by-request";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** The scope in the route's row of the access table; absent: the route accepts no tokens. */
    scope?: RequiredScope | undefined;
  }
}
