import type { StoredResponse } from "./stored-response";

const MAIL_CATEGORIES = ["letters", "postcards"];

/** Whether 'Cancel Mail' is open for a stored response (spec §4). */
export function canCancel(
  response: Pick<StoredResponse, "endpoint_category" | "endpoint_preset" | "status_code" | "is_cancelled">,
): boolean {
  return findCancelProblem(response) === null;
}

/** Why a stored response cannot be cancelled, as one sentence; null when it can (spec §4). */
export function findCancelProblem({
  endpoint_category,
  endpoint_preset,
  status_code,
  is_cancelled,
}: Pick<StoredResponse, "endpoint_category" | "endpoint_preset" | "status_code" | "is_cancelled">):
  | string
  | null {
  if (!MAIL_CATEGORIES.includes(endpoint_category)) return "It is no letter or postcard.";
  if (!endpoint_preset.includes("create")) return "It did not create a letter or postcard.";
  if (status_code === null || status_code < 200 || status_code > 299) {
    return "The provider did not accept it, so there is nothing to cancel.";
  }
  return is_cancelled ? "It is cancelled already." : null;
}
