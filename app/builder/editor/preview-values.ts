import { keepChosenRecipient } from "./recipient/recipient-choice";
import { isRecipientId } from "./recipient/recipients";

/** The form values that a preview shows: of the chosen recipient only, and a name that is being searched is no one yet. */
export function selectPreviewValues(values: Record<string, string>): Record<string, string> {
  const chosen = keepChosenRecipient(values);
  return isRecipientId(chosen.recipient ?? "") ? chosen : { ...chosen, recipient: "" };
}
