import { formatFileName } from "~/print/messages";
import type { MailKind } from "../draft/draft";

/** A postcard with a message alone is not complete. */
export const NO_CONTENT: Record<MailKind, string> = {
  postcard: "No front image or template yet",
  letter: "No content yet",
};

/** @param name that no saved recipient has */
export function formatRecipientUnknown(name: string): string {
  return `Recipient "${name}" not found`;
}
export const IN_TEST = "Test mode: a test makes a free sample PDF";
export const IN_LIVE = "Live: real mail will be sent";

/** @param problems how many rules are broken */
export function formatReadiness(kind: MailKind, problems: number): string {
  return problems > 0 ? `${problems} issue(s) need attention` : `Ready to create ${kind}!`;
}

// Preview

export const PREVIEW_NOT_SENT =
  "You edited the body by hand. This preview shows the form, which will not be sent.";

export const NO_RECIPIENTS = "No recipients found for this user.";
/** Why the recipients could not be loaded. */
export const LOAD_FAILURES = {
  noUser: "No user selected",
  fetch: "Failed to fetch recipients",
  parse: "Failed to parse recipients response",
  format: "Invalid response format from recipients API",
};

export function formatLoadFailed(reason: string): string {
  return `Could not load recipients: ${reason}.`;
}

export function formatFallbackUsed(recipientId: string): string {
  return `Recipient ${recipientId} is used instead, in test mode only.`;
}

// Templates

/** Why the templates could not be loaded. */
export const TEMPLATE_FAILURES = {
  noUser: "no user is selected",
  fetch: "the provider did not answer the request",
  parse: "the provider's answer is not JSON",
  format: "the provider's answer is not a list",
};

export function formatTemplatesFailed(reason: string): string {
  return `Templates could not be loaded: ${reason}. You can still enter a template's ID.`;
}

/** Sentences of the address check. */

export const ADDRESS_WORDS = {
  valid: "Valid",
  corrected: "Valid, with corrections",
  not_found: "Not found",
  unchecked: "Cannot be checked",
};
export const ADDRESS_CHANGED = "The address has changed since this check.";

export const ADDRESS_NOT_REAL = "Test answer from this machine, not from the provider.";
export const ADDRESS_LINE_MISSING = "Fill in address line 1 first.";
export const ADDRESS_UNREADABLE = "The provider's answer could not be read.";
export const ADDRESS_NO_RESULT = "The provider did not say whether the address is valid (no is_valid).";
const regions = new Intl.DisplayNames("en", { type: "region" });

export function formatUncheckedCountry(country: string): string {
  const name = /^[A-Z]{2}$/.test(country) ? regions.of(country) : country;
  return `Addresses in ${name} cannot be checked. You can send it.`;
}

export const DROP_FILE = "Drop the file to attach it.";

/** Without JavaScript: above the browser's own control, which then says that no file is chosen. */
export function formatKeptFile(name: string): string {
  return `${formatFileName(name)} is attached. Choose a file only to replace it.`;
}

export function formatManyFiles(count: number): string {
  return `You chose ${count} files. Choose one: nothing was attached.`;
}
