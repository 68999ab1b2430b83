import { findCancelProblem } from "~/responses/cancel-rule";
import { findResponse } from "~/responses/search/list-responses.server";
import { quoteCancel } from "./quote-cancel.server";

const COPY =
  "This is a copy. If the piece that it tells of is this user's and can still be stopped, what was charged for it is refunded.";

/** What cancelling by a stored response would bring, in a sentence for whoever is to confirm it; or why it cannot be. */
export async function quoteResponse(id: string): Promise<string> {
  const found = await findResponse(id);
  if (!found.ok) return found.failure.message;
  if (found.value === null) return "There is no stored response with this id any more.";
  const reason = findCancelProblem(found.value);
  if (reason !== null) return reason;
  if (found.value.send_id === null) return COPY;
  const quote = await quoteCancel(found.value.send_id);
  return quote.ok ? quote.value.sentence : quote.failure.message;
}
