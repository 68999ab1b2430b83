import type { RequiredScope } from "./token-scopes";

/**
 * Passes the access table's rule for tokens from the gate to the code that finds the caller. A route without a scope accepts
 * no token.
 */
const noted = new WeakMap<Request, RequiredScope>();

/** Notes the scope of a request's row in the access table, before its route sees it. */
export function noteScope(request: Request, scope: RequiredScope | undefined): void {
  if (scope !== undefined) noted.set(request, scope);
}

/** The scope that this request needs of a token; undefined: it takes none. */
export function findRequiredScope(request: Request): RequiredScope | undefined {
  return noted.get(request);
}

/** The text behind `Authorization: Bearer`, or null where the request has no such header. */
export function parseBearer(headers: { get(name: string): string | null }): string | null {
  return /^bearer\s+(.*?)\s*$/i.exec(headers.get("Authorization") ?? "")?.[1] ?? null;
}
