/** What the postcard and letter forms say of a rule that is broken. */

export const SIZE_REQUIRED = "Size is required - please select a postcard dimension";
export const POSTCARD_CONTENT_REQUIRED =
  "Either a template ID or front image is required to create the postcard";
export const LETTER_CONTENT_REQUIRED = "Either template ID, PDF file, or text content is required";
export const POSTCARD_RECIPIENT_REQUIRED = "Choose a recipient or fill in a new one";
export const LETTER_RECIPIENT_REQUIRED = "Choose a recipient or give the new recipient's first name";
export const VARIABLES_INVALID = "Variables must be valid JSON";

/** @param missing what the new recipient lacks, such as "first name" */
export function formatRecipientIncomplete(missing: readonly string[]): string {
  const listed =
    missing.length < 2 ? missing.join("") : `${missing.slice(0, -1).join(", ")} and ${missing.at(-1)}`;
  return `The new recipient needs ${listed}`;
}

export function formatRecipientNotFound(name: string): string {
  return `No saved recipient is called "${name}". Choose one from the list or enter an ID.`;
}

export function formatRecipientAmbiguous(name: string): string {
  return `Several saved recipients are called "${name}". Choose one from the list.`;
}
