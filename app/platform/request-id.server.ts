import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

/**
 * One id for a request, from the browser or the proxy in front to the log lines of the calls that it leads to. It is
 * not sent to the provider: the headers of a piece are frozen, and a repeated call must have the very same.
 */

/** A request under way, with facts for the audit log and the log of API calls, each noted by the code that knows it. */
export interface CurrentRequest {
  readonly id: string;
  /** `token` and its id, `person` and their subject, or `address` and where it comes from. */
  caller?: string;
  /** The actor as the books name it. */
  actorId?: string;
  /** The form's intent. */
  intent?: string;
  /** Ids in the form. */
  subject?: string;
  /** The path at the provider of a call that is passed on. */
  providerPath?: string;
  /** The code of its failure, with the names of wrong fields. */
  reason?: string;
  /** True when a right was missing. */
  refused?: true;
  /** True when it failed although the answer's status does not say so. */
  failed?: true;
}

const current = new AsyncLocalStorage<CurrentRequest>();
const ACCEPTED = /^[\w.:-]{8,100}$/;

/** The id of the request that this is done for; none in the background. */
export function currentRequestId(): string | undefined {
  return current.getStore()?.id;
}

/** Adds facts to the request under way; in the background there is none. */
export function noteRequest(facts: Omit<CurrentRequest, "id">): void {
  Object.assign(current.getStore() ?? {}, facts);
}

/** Does `work`, and all that it begins, for a request. */
export function withRequest<T>(request: CurrentRequest, work: () => T): T {
  return current.run(request, work);
}

/** What the caller calls the request, if that is harmless in a log, else a new id. */
export function chooseRequestId(given: string | undefined): string {
  return given !== undefined && ACCEPTED.test(given) ? given : randomUUID();
}
