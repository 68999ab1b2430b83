import {
  COUNTRIES,
  COUNTRY_NAMES,
  FONTS,
  LETTER_COUNTRIES,
  POSTCARD_COUNTRIES,
  POSTCARD_SIZES,
} from "./options";
import { ARTWORK, field, fileField, selectField, tagsField, textField, UNDOCUMENTED } from "./rows";
import type { FormField } from "./types";

/** Fields of a saved recipient in their order, for the recipient and address calls. */
export const PERSON = {
  title: selectField("title", "Title", ["Mr", "Mrs", "Ms", "Miss", "Dr", "Prof", "Sir", "Lady", "Lord"]),
  firstname: textField("firstname", "First name"),
  lastname: textField("lastname", "Last name"),
  company: textField("company", "Company", { placeholder: "Fernbank Dental" }),
  address1: textField("address1", "Address line 1"),
  address2: textField("address2", "Address line 2", { placeholder: "Unit 4" }),
  city: textField("city", "City"),
  state: textField("state", "State", {
    placeholder: "OR",
    description: "State, province or county. Two letters in the US.",
    note: "The provider returns it as county.",
  }),
  postcode: textField("postcode", "Postcode"),
  country: selectField("country", "Country", COUNTRIES, { placeholder: "US" }),
  email: textField("email", "E-mail", { placeholder: "amelia.hartwell@example.com" }),
  phone: textField("phone", "Phone", {
    placeholder: "+12025550110",
    note: "The provider documents this as phone_number.",
  }),
} satisfies Record<string, FormField>;

/**
 * Recipient of a postcard or letter. `recipient_*` values become the recipient object, which replaces the ID in `recipient`.
 * None is required or has a starting value, because the ID could then never be used. Each kind of mail adds its countries.
 */
const MAIL_RECIPIENT_FIELDS: readonly FormField[] = [
  textField("recipient", "Existing recipient", { placeholder: "Name, company, city, postcode or ID" }),
  { ...PERSON.title, name: "recipient_title" },
  { ...PERSON.company, name: "recipient_company" },
  { ...PERSON.firstname, name: "recipient_firstname", placeholder: "Amelia" },
  { ...PERSON.lastname, name: "recipient_lastname", placeholder: "Hartwell" },
  { ...PERSON.address1, name: "recipient_address1", placeholder: "12 Elm Street" },
  { ...PERSON.address2, name: "recipient_address2" },
  { ...PERSON.city, name: "recipient_city", placeholder: "Portland" },
  textField("recipient_state", "State", {
    placeholder: "OR",
    note: "State, province or county. Two letters in the US.",
  }),
  { ...PERSON.postcode, name: "recipient_postcode", placeholder: "97205" },
  { ...PERSON.email, name: "recipient_email" },
  { ...PERSON.phone, name: "recipient_phone" },
];

const TEST = field("boolean", "test", "Test mode", {
  description: "On: you get a free PDF. Off: real mail is sent.",
});

const POST_UNVERIFIED = field("choice", "post_unverified", "Post unverified addresses", {
  words: { yes: "Yes, post them", no: "No, hold them back" },
  note: "Without this field the provider posts to unverified addresses.",
});

const MAIL_ADDONS = ["FIRST_CLASS", "PRIORITY", "CERTIFIED", "RETURN_RECEIPT"] as const;

function addonsField(options: readonly string[]): FormField {
  const note = "Of these codes the provider documents only FIRST_CLASS.";
  return field("several", "addons", "Add-ons", { options, note });
}

function variablesField(placeholder: string): FormField {
  return {
    name: "variables",
    label: "Variables",
    type: "textarea",
    placeholder,
    description: "Values for {placeholders}, as a JSON object.",
    note: "Sent with a new recipient's details: the provider documents no variables field.",
  };
}

/** Starting values of a new postcard. `size` starts with its placeholder. */
export const POSTCARD_START = {
  test: true,
  clearzone: true,
  post_unverified: true,
  font_size: "12",
} as const;

export const POSTCARD_FIELDS: readonly FormField[] = [
  TEST,
  selectField("size", "Size", POSTCARD_SIZES, {
    required: true,
    placeholder: "4x6",
    note: "Width and height in inches.",
  }),
  textField("template", "Template ID", {
    placeholder: "21001",
    note: "ID of a design in the account. The provider then ignores front and back.",
  }),
  fileField("front", "Front image", ARTWORK, {
    description: "JPG, PNG or PDF, at most 3000 x 3000 px. Required without a template.",
  }),
  fileField("back", "Back image", ARTWORK, { description: "JPG, PNG or PDF, at most 3000 x 3000 px." }),
  field("textarea", "message", "Message", {
    placeholder: "Dear Amelia, our spring offer ends on Friday.",
    description: "Printed on the back, on top of the back image.",
  }),
  fileField("signature", "Signature image", "image/jpeg,image/png", {
    description: "JPG or PNG, exactly 768 x 118 px.",
    note: "The provider documents JPG only.",
  }),
  ...MAIL_RECIPIENT_FIELDS,
  selectField("recipient_country", "Country", POSTCARD_COUNTRIES, { names: COUNTRY_NAMES }),
  selectField("font", "Font", FONTS, { description: "Of the message.", note: UNDOCUMENTED }),
  selectField("font_size", "Font size", ["8", "9", "10", "11", "12", "13", "14", "16", "18", "20"], {
    description: "Of the message, in points.",
    note: UNDOCUMENTED,
  }),
  selectField(
    "font_colour",
    "Font colour",
    ["black", "white", "red", "blue", "green", "gray", "navy", "maroon", "#000000", "#333333", "#666666"],
    { description: "Of the message.", note: UNDOCUMENTED },
  ),
  selectField("padding", "Padding", ["0", "5", "10", "15", "20"], {
    description: "White border around the front. 0 prints to the edge; none is the provider's default.",
    note: "The provider documents no unit. Its default is a border.",
  }),
  field("choice", "clearzone", "Clear zones", {
    words: { yes: "Yes", no: "No" },
    description: "White background for address and postage, so that machines can read them.",
    note: "Pages of the provider's docs differ about the default.",
  }),
  POST_UNVERIFIED,
  addonsField(["STANDARD", ...MAIL_ADDONS]),
  tagsField("spring,offer"),
  textField("campaign_id", "Campaign ID", {
    placeholder: "261",
    description: "Campaign to which this postcard belongs.",
    note: UNDOCUMENTED,
  }),
  variablesField('{"offer": "10% off"}'),
];

/** Starting values of a new letter. Printing both sides is the provider's own default. */
export const LETTER_START = { test: true, duplex: true, post_unverified: true } as const;

export const LETTER_FIELDS: readonly FormField[] = [
  textField("template", "Template ID", { placeholder: "21005", note: "ID of a design in the account." }),
  ...MAIL_RECIPIENT_FIELDS,
  selectField("recipient_country", "Country", LETTER_COUNTRIES, { names: COUNTRY_NAMES }),
  TEST,
  fileField("file", "PDF file", "application/pdf", {
    description: "A PDF with at most 10 pages.",
    note: "Leave space for the address at the top of page 1.",
  }),
  field("textarea", "content", "Text content", {
    placeholder: "Dear Amelia, please find your invoice enclosed.",
    description: "Used when there is no template and no file.",
    note: "Made into a PDF here: the provider documents no text field.",
  }),
  field("number", "pages", "Pages", {
    placeholder: "1",
    description: "Leave empty: the provider prints this as text.",
    note: "In the provider's docs, pages is the letter's content and not a number.",
  }),
  field("choice", "duplex", "Sides", {
    words: { yes: "Both sides", no: "One side" },
    note: "Without this field the provider prints both sides.",
  }),
  field("boolean", "colour", "In colour", { note: UNDOCUMENTED }),
  selectField("paper_type", "Paper", ["standard", "premium", "letterhead"], { note: UNDOCUMENTED }),
  selectField("envelope_type", "Envelope", ["standard", "window", "premium", "security"], {
    note: UNDOCUMENTED,
  }),
  POST_UNVERIFIED,
  tagsField("billing,first-notice"),
  addonsField([...MAIL_ADDONS, "REGISTERED"]),
  variablesField('{"invoice": "2026-0114"}'),
];
