import type { ReceiverProblem } from "~/outside/webhook-receiver/receiver-problem";
import { DAY_MS } from "~/platform/time";
import { RETRY_WAITS_MS } from "./retry-schedule";

/** What people read about webhooks. What each event means is in `events.ts`. */

/** "10 times in 3 days" */
export const HOW_OFTEN_TRIED = `${RETRY_WAITS_MS.length + 1} times in ${Math.round(RETRY_WAITS_MS.reduce((sum, wait) => sum + wait, 0) / DAY_MS)} days`;

export const ABOUT_WEBHOOKS =
  "Mailroom posts JSON to your server when something happens. Each request is signed by the Standard Webhooks scheme.";
export const NO_ENDPOINTS = "No endpoints yet. Events are not sent anywhere.";
export const NO_DELIVERIES = "No deliveries yet. Send a test event to try the endpoint.";
export const NO_SUCH_DELIVERIES = "No deliveries match this filter.";
export const SECRET_ONCE = "Copy the signing secret now: it is shown only once.";
export const ADMINS_ONLY = "Only admins change endpoints. You can read what was delivered.";
export const URL_HINT = "https, reachable from the public internet. Redirects are not followed.";
export const EVENTS_HINT = "Payloads have ids, states and credits. Names and addresses are never in them.";
export const WEBHOOKS_NEED_DATABASE = "Webhooks need a database.";
export const NO_SUCH_ENDPOINT = "This endpoint does not exist any more. Nothing was changed.";
export const NO_SUCH_DELIVERY = "This delivery does not exist. Deliveries are kept for 30 days.";
export const ENDPOINT_SAVED = "Endpoint saved.";
export const ENDPOINT_REMOVED = "Endpoint removed, with its deliveries.";
export const TEST_QUEUED = "Test event queued. It is sent within seconds.";
export const RESEND_QUEUED = "Queued again. It is sent within seconds.";
export const SWITCHED_OFF = "Endpoint switched off. Events are not kept for it meanwhile.";
export const SWITCHED_ON = "Endpoint switched on. What was waiting is sent now.";
export const ALREADY_SO = "The endpoint is in that state already. Nothing was changed.";
export const IS_OFF = "The endpoint is switched off. Nothing was sent. Switch it on first.";
export const SWITCHED_OFF_BY_HAND = "Switched off by hand.";
export const REMOVE_QUESTION = "Events are no longer sent to this endpoint, and its delivery log is deleted.";
export const ROTATED = "The earlier secret stays valid for 24 hours: each request has both signatures.";

export const PROBLEMS = {
  url: "Enter an address that starts with https://.",
  urlParts: "The address must have no user name, password or # part.",
  urlPrivate: "The address leads into a private network. Enter one of the public internet.",
  events: "Choose at least one event.",
  description: "Up to 200 characters.",
} as const;

const RECEIVER_PROBLEMS: Record<ReceiverProblem, string> = {
  private: "The address leads into a private network. Nothing was sent.",
  timeout: "No answer within 15 seconds.",
  name: "The host name was not found.",
  certificate: "The certificate of the receiver is not valid. Nothing was sent.",
  connection: "The connection failed.",
};

/** Why a try failed. @param status null: there was no answer */
export function formatProblem(status: number | null, problem: ReceiverProblem | null): string {
  if (problem !== null) return RECEIVER_PROBLEMS[problem];
  if (status !== null && status >= 300 && status < 400) {
    return `The receiver answered ${status}, a redirect, which is not followed.`;
  }
  return `The receiver answered ${status}.`;
}

export function formatTooManyEndpoints(limit: number): string {
  return `There are ${limit} endpoints already. No endpoint was created. Remove one first.`;
}

/** @param problem of the last try */
export function formatLastingFailure(address: string, problem: string): string {
  return `${address} has failed for three days and was switched off. The last try: ${problem}`;
}

export function formatGone(address: string): string {
  return `${address} answered 410: it wants no more events. It was switched off.`;
}
