import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

/**
 * One id for a request, from the browser or the proxy in front to the log lines of the calls that it leads to. It is
 * not sent to the provider: the headers of a piece are frozen, and a repeated call must have the very same.
 */

/** Facts about a request for the audit log, each noted by the code that knows it. */
export interface RequestFacts {
  /** The actor as the books name it. */
  actorId?: string;
  /** The form's intent. */
  intent?: string;
  /** Ids in the form. */
  subject?: string;
  /** True when a right was missing. */
  refused?: true;
  /** True when it failed although the answer's status does not say so. */
  failed?: true;
}

const current = new AsyncLocalStorage<{ id: string; facts: RequestFacts }>();
const ACCEPTED = /^[\w.:-]{8,100}$/;

/** The id of the request that this is done for; none in the background. */
export function currentRequestId(): string | undefined {
  return current.getStore()?.id;
}

/** Adds to the facts of the request that this is done for. */
export function noteRequest(facts: RequestFacts): void {
  Object.assign(current.getStore()?.facts ?? {}, facts);
}

/** Does `work`, and all that it begins, under an id. */
export function withRequestId<T>(id: string, work: () => T, facts: RequestFacts = {}): T {
  return current.run({ id, facts }, work);
}

/** What the caller calls the request, if that is harmless in a log, else a new id. */
export function chooseRequestId(given: string | undefined): string {
  return given !== undefined && ACCEPTED.test(given) ? given : randomUUID();
}
