/** Parts that only letters, postcards and file fields need: a separate chunk, which `lazy-chunks.tsx` loads. */

export { TestedPdf } from "../answer/tested-pdf";
export { Autosaver } from "../draft/autosaver";
export { AutosaveLine } from "../forms/autosave-line";
export { FileField } from "../forms/file-field";
export { MailForm, Tips } from "../forms/mail-form";
export { MailPreview } from "../forms/mail-preview";
export { checkAddress } from "../send/check-address";
export { loadRecipients, loadTemplates } from "../send/provider-list";
export { SendBar } from "../send/send-bar";
