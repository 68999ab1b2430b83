/** What the address check says. */

export const ADDRESS_WORDS = {
  valid: "Valid",
  corrected: "Valid, with corrections",
  not_found: "Not found",
  unchecked: "Cannot be checked",
};
export const ADDRESS_CHANGED = "The address has changed since this check.";

export const ADDRESS_NOT_FOUND =
  "The provider cannot find this address. You can still send: a live piece keeps a note of it.";
export const ADDRESS_NOT_REAL = "Test answer from this machine, not from the provider.";
export const ADDRESS_LINE_MISSING = "Fill in address line 1 first.";
export const ADDRESS_UNREADABLE = "The provider's answer could not be read.";
export const ADDRESS_NO_RESULT = "The provider did not say whether the address is valid (no is_valid).";
export const ADDRESS_STOPPED = "The check was stopped.";
export const ADDRESS_UNREACHABLE = "Network error: Mailroom did not answer. Try again in a moment.";

export function formatUncheckedCountry(country: string): string {
  return `The provider checks only US and UK addresses. This one is in ${country}.`;
}
