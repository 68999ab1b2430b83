import type { StoredResponse } from "./stored-response";

const MAIL_CATEGORIES = ["letters", "postcards"];

/** True when a stored response offers 'Cancel Mail': a test has nothing to cancel. */
export function canCancel(
  response: Pick<
    StoredResponse,
    "endpoint_category" | "endpoint_preset" | "status_code" | "is_cancelled" | "mode"
  >,
): boolean {
  return response.mode !== "test" && findCancelProblem(response) === null;
}

/** Why a stored response cannot be cancelled, as a sentence; null when it can. */
export function findCancelProblem({
  endpoint_category,
  endpoint_preset,
  status_code,
  is_cancelled,
}: Pick<StoredResponse, "endpoint_category" | "endpoint_preset" | "status_code" | "is_cancelled">):
  | string
  | null {
  if (!MAIL_CATEGORIES.includes(endpoint_category)) return "This response is not about a letter or postcard.";
  if (!endpoint_preset.includes("create")) return "This request did not create a letter or postcard.";
  if (status_code === null || status_code < 200 || status_code > 299) {
    return "The provider did not accept this request, so there is nothing to cancel.";
  }
  return is_cancelled ? "This piece is cancelled already." : null;
}
