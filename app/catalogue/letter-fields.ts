import { ENVELOPE_TYPES, LETTER_ADDONS, LETTER_COUNTRIES, PAPER_TYPES } from "./options";
import { MAIL_RECIPIENT_FIELDS } from "./recipient-fields";
import type { FormField } from "./types";

/** What a new letter starts with (spec §9; both sides are the provider's own default). */
export const LETTER_START = { test: true, duplex: true, post_unverified: true } as const;

/** The letter payload (spec §3), in the order of the letter form (spec §2). */
export const LETTER_FIELDS: readonly FormField[] = [
  {
    name: "template",
    label: "Template ID",
    type: "text",
    placeholder: "21005",
    description: "A design from templates/list. This, a PDF file or text content is needed.",
  },
  ...MAIL_RECIPIENT_FIELDS,
  {
    name: "recipient_country",
    label: "New recipient: country",
    type: "select",
    options: LETTER_COUNTRIES,
  },
  {
    name: "test",
    label: "Test mode",
    type: "boolean",
    description: "Makes a sample PDF: nothing is printed, posted or charged. Unticked it is real mail.",
  },
  {
    name: "file",
    label: "PDF file",
    type: "file",
    accept: "application/pdf",
    description: "The letter's pages, ten at most.",
  },
  {
    name: "content",
    label: "Text content",
    type: "textarea",
    placeholder: "Dear Amelia, please find your invoice enclosed.",
    description: "The letter's text, if there is neither template nor file.",
  },
  {
    name: "pages",
    label: "Pages",
    type: "number",
    placeholder: "1",
    description:
      "How many pages it has; 1 where nothing is said. Leave it empty: the provider prints what it finds here as the letter's text.",
  },
  {
    name: "duplex",
    label: "Both sides",
    type: "boolean",
    description:
      "An unticked box is left out, and the provider then prints both sides; write false in the Body tab for one side.",
  },
  { name: "colour", label: "In colour", type: "boolean" },
  { name: "paper_type", label: "Paper", type: "select", options: PAPER_TYPES },
  { name: "envelope_type", label: "Envelope", type: "select", options: ENVELOPE_TYPES },
  {
    name: "post_unverified",
    label: "Post unverified addresses",
    type: "boolean",
    description:
      "An unticked box is left out, and the provider then assumes yes; write false in the Body tab to hold such mail back.",
  },
  {
    name: "tags",
    label: "Tags",
    type: "text",
    placeholder: "billing,first-notice",
    description: "Words to find it by in reports, with commas between them.",
  },
  {
    name: "addons",
    label: "Add-on",
    type: "select",
    options: LETTER_ADDONS,
    description: "Several go into the Body tab, with commas between them.",
  },
  {
    name: "variables",
    label: "Variables",
    type: "textarea",
    placeholder: '{"invoice": "2026-0114"}',
    description: "Values for the places left open in the template, as a JSON object.",
  },
];
