import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

/**
 * One id for a request, from the browser or the proxy in front to the log lines of the calls that it leads to. It is
 * not sent to the provider: the headers of a piece are frozen, and a repeated call must have the very same.
 */

const current = new AsyncLocalStorage<string>();
const ACCEPTED = /^[\w.:-]{8,100}$/;

/** The id of the request that this is done for; none in the background. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}

/** Does `work`, and all that it begins, under an id. */
export function withRequestId<T>(id: string, work: () => T): T {
  return current.run(id, work);
}

/** What the caller calls the request, if that is harmless in a log, else a new id. */
export function chooseRequestId(given: string | undefined): string {
  return given !== undefined && ACCEPTED.test(given) ? given : randomUUID();
}
