/** What only letters and postcards need: a chunk of its own, which `lazy-editor.tsx` loads. */
export { AddressCheckPanel } from "../address-check/address-check-panel";
export { TestedPdf } from "../send-tested/tested-pdf";
export { MailForm } from "./mail-form";
export { MailPreview } from "./mail-preview";
export { SendBar } from "./send-bar";
export { Tips } from "./tips";
