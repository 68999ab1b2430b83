import { findRecipientChoice } from "./recipient-choice";
import type { ListedRecipient } from "./recipients";

/**
 * The details of the chosen recipient by name, which fill the placeholders of a text; null when only the provider knows
 * them.
 */
export function findDetails(
  values: Readonly<Record<string, string>>,
  listed: readonly ListedRecipient[],
): Readonly<Record<string, string>> | null {
  if (findRecipientChoice(values) === "new") {
    const details = Object.entries(values).filter(([name]) => name.startsWith("recipient_"));
    return Object.fromEntries(details.map(([name, value]) => [name.slice("recipient_".length), value]));
  }
  const id = (values.recipient ?? "").trim();
  return listed.find((recipient) => recipient.id === id) ?? null;
}
