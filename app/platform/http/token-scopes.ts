/** What a personal access token may be allowed. */
export const TOKEN_SCOPES = ["read", "send:test", "send:live", "credits"] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** What a route asks of a token; `by-request`: the route's room finds out from the request itself. */
export type RequiredScope = TokenScope | "by-request";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** The scope that the route's row in the access table demands; absent: it accepts no tokens. */
    scope?: RequiredScope | undefined;
  }
}
