import type { AppLoadContext } from "@remix-run/node";

/** Limits of a request's body. */
export interface BodyLimits {
  /** Bytes from a caller without a session or signature. */
  anonymousBytes: number;
  /** Bytes from a caller with a session or signature. */
  knownBytes: number;
  /** Fields and files of a form. */
  fields: number;
}

/** Limits of a route without its own in the access table. */
export const SMALL_BODY: BodyLimits = { anonymousBytes: 16 * 1024, knownBytes: 16 * 1024, fields: 500 };

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** Limits of the route's row in the access table. */
    bodyLimits?: BodyLimits;
  }
}

/** The part of an action's arguments that reads a body. */
export interface Posted {
  request: Request;
  context: AppLoadContext;
}

export function findBodyLimits({ context }: Pick<Posted, "context">): BodyLimits {
  return context.bodyLimits ?? SMALL_BODY;
}
