import type { ReceiverProblem } from "~/outside/webhook-receiver/call-receiver.server";

export const ADMINS_ONLY = "Only admins change endpoints. You can read what was delivered.";

export const IS_OFF = "The endpoint is switched off. Nothing was sent. Switch it on first.";
export const NO_SUCH_ENDPOINT = "This endpoint does not exist any more. Nothing was changed.";
export const NO_SUCH_DELIVERY = "This delivery does not exist. Deliveries are kept for 30 days.";

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
  unsigned:
    "ENCRYPTION_SECRET does not open the signing secret, so nothing was sent. Set it back, or rotate the secret.",
};

/** Formats the reason of a failed try. @param status null: no answer */
export function formatProblem(status: number | null, problem: ReceiverProblem | null): string {
  if (problem !== null) return RECEIVER_PROBLEMS[problem];
  if (status !== null && status >= 300 && status < 400) {
    return `The receiver answered ${status}, a redirect, which is not followed.`;
  }
  return `The receiver answered ${status}.`;
}
