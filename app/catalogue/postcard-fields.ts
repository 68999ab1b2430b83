import {
  COUNTRY_NAMES,
  DEFAULT_FONT_SIZE,
  FONT_COLOURS,
  FONT_SIZES,
  FONTS,
  PADDINGS,
  POST_OR_HOLD,
  POSTCARD_ADDONS,
  POSTCARD_COUNTRIES,
  POSTCARD_SIZES,
  YES_NO,
} from "./options";
import { MAIL_RECIPIENT_FIELDS } from "./recipient-fields";
import { UNDOCUMENTED } from "./reference-pages";
import type { FormField } from "./types";

const ARTWORK = "image/jpeg,image/png,application/pdf";

/** Starting values of a new postcard. `size` starts with its placeholder. */
export const POSTCARD_START = {
  test: true,
  clearzone: true,
  post_unverified: true,
  font_size: DEFAULT_FONT_SIZE,
} as const;

/** The fields of a postcard, in the order of its form. */
export const POSTCARD_FIELDS: readonly FormField[] = [
  {
    name: "test",
    label: "Test mode",
    type: "boolean",
    description: "On: you get a free PDF. Off: real mail is sent.",
  },
  {
    name: "size",
    label: "Size",
    type: "select",
    required: true,
    placeholder: "4x6",
    options: POSTCARD_SIZES,
    note: "Width and height in inches.",
  },
  {
    name: "template",
    label: "Template ID",
    type: "text",
    placeholder: "21001",
    note: "ID of a design in the account. The provider then ignores front and back.",
  },
  {
    name: "front",
    label: "Front image",
    type: "file",
    accept: ARTWORK,
    description: "JPG, PNG or PDF, at most 3000 x 3000 px. Required without a template.",
  },
  {
    name: "back",
    label: "Back image",
    type: "file",
    accept: ARTWORK,
    description: "JPG, PNG or PDF, at most 3000 x 3000 px.",
  },
  {
    name: "message",
    label: "Message",
    type: "textarea",
    placeholder: "Dear Amelia, our spring offer ends on Friday.",
    description: "Printed on the back, on top of the back image.",
  },
  {
    name: "signature",
    label: "Signature image",
    type: "file",
    accept: "image/jpeg,image/png",
    description: "JPG or PNG, exactly 768 x 118 px.",
    note: "The provider documents JPG only.",
  },
  ...MAIL_RECIPIENT_FIELDS,
  {
    name: "recipient_country",
    label: "Country",
    type: "select",
    options: POSTCARD_COUNTRIES,
    names: COUNTRY_NAMES,
  },
  {
    name: "font",
    label: "Font",
    type: "select",
    options: FONTS,
    description: "Of the message.",
    note: UNDOCUMENTED,
  },
  {
    name: "font_size",
    label: "Font size",
    type: "select",
    options: FONT_SIZES,
    description: "Of the message, in points.",
    note: UNDOCUMENTED,
  },
  {
    name: "font_colour",
    label: "Font colour",
    type: "select",
    options: FONT_COLOURS,
    description: "Of the message.",
    note: UNDOCUMENTED,
  },
  {
    name: "padding",
    label: "Padding",
    type: "select",
    options: PADDINGS,
    description: "White border around the front. 0 prints to the edge; none is the provider's default.",
    note: "The provider documents no unit. Its default is a border.",
  },
  {
    name: "clearzone",
    label: "Clear zones",
    type: "choice",
    words: YES_NO,
    description: "White background for address and postage, so that machines can read them.",
    note: "Pages of the provider's docs differ about the default.",
  },
  {
    name: "post_unverified",
    label: "Post unverified addresses",
    type: "choice",
    words: POST_OR_HOLD,
    note: "Without this field the provider posts to unverified addresses.",
  },
  {
    name: "addons",
    label: "Add-ons",
    type: "several",
    options: POSTCARD_ADDONS,
    note: "Of these codes the provider documents only FIRST_CLASS.",
  },
  {
    name: "tags",
    label: "Tags",
    type: "text",
    placeholder: "spring,offer",
    description: "For reports. Separate tags with commas.",
  },
  {
    name: "campaign_id",
    label: "Campaign ID",
    type: "text",
    placeholder: "261",
    description: "Campaign to which this postcard belongs.",
    note: UNDOCUMENTED,
  },
  {
    name: "variables",
    label: "Variables",
    type: "textarea",
    placeholder: '{"offer": "10% off"}',
    description: "Values for {placeholders}, as a JSON object.",
    note: "Sent with a new recipient's details: the provider documents no variables field.",
  },
];
