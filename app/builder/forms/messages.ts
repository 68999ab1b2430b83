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

export const BROWSE_TEMPLATES = "Browse templates";
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

// Tips & Guide

const SHARED_TIPS = [
  "Start in test mode: you get a free sample PDF and nothing is mailed. Then send the tested piece live: the same content, with test mode off.",
  "Creating a piece sends it. There is no draft at the provider. A live piece can be cancelled only until it is printed.",
  "Use tags to find pieces in reports. Separate several tags with commas.",
  "The recipient's details and your variables fill {firstname}, {offer} and other placeholders in your text. A placeholder without a value stops the send.",
  "Variables are a JSON object. They reach a template only with a new recipient.",
];

export const TIPS: Record<MailKind, string[]> = {
  postcard: [
    "Front and back: JPG, PNG or PDF with one page each. Images may be at most 3000 x 3000 px. Include the bleed: it is cut off.",
    "For 6x11, use a PDF. An image that fills it needs more than 3000 px.",
    "Give a template ID or a front image. If you give both, the provider uses the template.",
    "The signature must be exactly 768 x 118 px. It is printed below the message.",
    "Clear zones print white behind the address and barcode so that machines can read them.",
    ...SHARED_TIPS,
  ],
  letter: [
    "Give a template ID, a PDF file or text content.",
    "Text content becomes a PDF: 12 pt Arial with one-inch margins, US Letter for the US base URL and A4 for the others. The first page starts below the address area (approximate).",
    "The provider refuses PDFs with more than ten pages.",
    "In your own PDF, leave room for the address at the top of page 1. The preview shows where it is printed.",
    ...SHARED_TIPS,
  ],
};

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
