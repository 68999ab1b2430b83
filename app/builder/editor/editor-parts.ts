/** What only letters and postcards need: a chunk of its own, which `lazy-editor.tsx` loads. */
export { AddressCheckPanel } from "../address-check/address-check-panel";
export { checkAddress, takeCorrections } from "../address-check/check-address";
export { AutosaveLine } from "../autosave/autosave-line";
export { Autosaver } from "../autosave/autosaver";
export { toTest } from "../autosave/saved-draft";
export { TestedPdf } from "../send-tested/tested-pdf";
export { MailForm } from "./mail-form";
export { MailPreview } from "./mail-preview";
export { loadRecipients, loadTemplates } from "./provider-list";
export { SendBar } from "./send-bar";
export { Tips } from "./tips";
