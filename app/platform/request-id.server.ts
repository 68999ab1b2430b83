import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

/**
 * One ID for a request, in the log lines of all calls that it leads to. It is not sent to the provider, because a retry
 * must send the same headers.
 */

/** The current request, with facts for the audit log and the API log that other code adds. */
export interface CurrentRequest {
  readonly id: string;
  /** `token` and its ID, `person` and their subject, or `address` and the IP address. */
  caller?: string;
  /** The actor's ID in the ledger. */
  actorId?: string;
  /** The form's intent. */
  intent?: string;
  /** Ids in the form, or of what was made. */
  subject?: string;
  /** The provider's path of a proxied call. */
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

/** Returns the ID of the current request; undefined in the background. */
export function currentRequestId(): string | undefined {
  return current.getStore()?.id;
}

/** Adds facts to the current request. Does nothing in the background. */
export function noteRequest(facts: Omit<CurrentRequest, "id">): void {
  Object.assign(current.getStore() ?? {}, facts);
}

/** Runs `work` and everything that it starts as part of a request. */
export function withRequest<T>(request: CurrentRequest, work: () => T): T {
  return current.run(request, work);
}

/** Returns the caller's ID of the request when it is safe to log, else a new one. */
export function chooseRequestId(received: string | undefined): string {
  return received !== undefined && ACCEPTED.test(received) ? received : randomUUID();
}
