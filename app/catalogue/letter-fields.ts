import {
  COUNTRY_NAMES,
  ENVELOPE_TYPES,
  LETTER_ADDONS,
  LETTER_COUNTRIES,
  PAPER_TYPES,
  POST_OR_HOLD,
} from "./options";
import { MAIL_RECIPIENT_FIELDS } from "./recipient-fields";
import { UNDOCUMENTED } from "./reference-pages";
import type { FormField } from "./types";

/** Starting values of a new letter. Printing both sides is the provider's own default. */
export const LETTER_START = { test: true, duplex: true, post_unverified: true } as const;

/** The fields of a letter, in the order of its form. */
export const LETTER_FIELDS: readonly FormField[] = [
  {
    name: "template",
    label: "Template ID",
    type: "text",
    placeholder: "21005",
    note: "ID of a design in the account.",
  },
  ...MAIL_RECIPIENT_FIELDS,
  {
    name: "recipient_country",
    label: "Country",
    type: "select",
    options: LETTER_COUNTRIES,
    names: COUNTRY_NAMES,
  },
  {
    name: "test",
    label: "Test mode",
    type: "boolean",
    description: "On: you get a free PDF. Off: real mail is sent.",
  },
  {
    name: "file",
    label: "PDF file",
    type: "file",
    accept: "application/pdf",
    description: "A PDF with at most 10 pages.",
    note: "Leave space for the address at the top of page 1.",
  },
  {
    name: "content",
    label: "Text content",
    type: "textarea",
    placeholder: "Dear Amelia, please find your invoice enclosed.",
    description: "Used when there is no template and no file.",
    note: "Made into a PDF here: the provider documents no text field.",
  },
  {
    name: "pages",
    label: "Pages",
    type: "number",
    placeholder: "1",
    description: "Leave empty: the provider prints this as text.",
    note: "In the provider's docs, pages is the letter's content and not a number.",
  },
  {
    name: "duplex",
    label: "Sides",
    type: "choice",
    words: { yes: "Both sides", no: "One side" },
    note: "Without this field the provider prints both sides.",
  },
  { name: "colour", label: "In colour", type: "boolean", note: UNDOCUMENTED },
  { name: "paper_type", label: "Paper", type: "select", options: PAPER_TYPES, note: UNDOCUMENTED },
  { name: "envelope_type", label: "Envelope", type: "select", options: ENVELOPE_TYPES, note: UNDOCUMENTED },
  {
    name: "post_unverified",
    label: "Post unverified addresses",
    type: "choice",
    words: POST_OR_HOLD,
    note: "Without this field the provider posts to unverified addresses.",
  },
  {
    name: "tags",
    label: "Tags",
    type: "text",
    placeholder: "billing,first-notice",
    description: "For reports. Separate tags with commas.",
  },
  {
    name: "addons",
    label: "Add-ons",
    type: "several",
    options: LETTER_ADDONS,
    note: "Of these codes the provider documents only FIRST_CLASS.",
  },
  {
    name: "variables",
    label: "Variables",
    type: "textarea",
    placeholder: '{"invoice": "2026-0114"}',
    description: "Values for {placeholders}, as a JSON object.",
    note: "Sent with a new recipient's details: the provider documents no variables field.",
  },
];
