import type { AppLoadContext } from "@remix-run/node";

/** What the body of a request may have at most. */
export interface BodyLimits {
  /** Bytes from a caller without a session, and without a signature where the route takes one. */
  anonymousBytes: number;
  /** Bytes from a caller with one. */
  knownBytes: number;
  /** Fields and files of a form. */
  fields: number;
}

/** The limits of a route whose row in the access table names none. */
export const SMALL_BODY: BodyLimits = { anonymousBytes: 16 * 1024, knownBytes: 16 * 1024, fields: 500 };

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** The limits of the route's row in the access table. */
    bodyLimits?: BodyLimits;
  }
}

/** What an action gets of the request that it reads. */
export interface Posted {
  request: Request;
  context: AppLoadContext;
}

export function findBodyLimits({ context }: Pick<Posted, "context">): BodyLimits {
  return context.bodyLimits ?? SMALL_BODY;
}
