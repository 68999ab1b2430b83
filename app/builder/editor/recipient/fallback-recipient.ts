import { addFallbackRecipient, type Draft, removeFallbackRecipient } from "../../draft";
import type { LoadedRecipients } from "./recipients";

/** Used when no recipient could be loaded. Only in test mode: a stranger must never get real mail. */
export const FALLBACK_RECIPIENT = "1001";

/** The draft after a list was loaded: with the fallback recipient if the list is empty, else without it. */
export function alignFallbackRecipient(draft: Draft, some: boolean): Draft {
  return some ? removeFallbackRecipient(draft) : addFallbackRecipient(draft, FALLBACK_RECIPIENT);
}

/** True when there is a recipient to choose. */
export function hasRecipients(loaded: LoadedRecipients): boolean {
  return loaded.state === "loaded" && loaded.recipients.length > 0;
}
