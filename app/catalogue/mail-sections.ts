/** The sections of the postcard and the letter form, with the names of their fields. */

interface MailSection {
  title: string;
  fields: readonly string[];
}

const NEW_RECIPIENT = [
  "recipient_title",
  "recipient_company",
  "recipient_firstname",
  "recipient_lastname",
  "recipient_address1",
  "recipient_address2",
  "recipient_city",
  "recipient_state",
  "recipient_postcode",
  "recipient_country",
  "recipient_email",
  "recipient_phone",
];

export const POSTCARD_SECTIONS: readonly MailSection[] = [
  { title: "Essential Settings", fields: ["test", "size"] },
  { title: "Content & Design", fields: ["template", "front", "back", "message", "signature"] },
  { title: "Recipient Information", fields: ["recipient", ...NEW_RECIPIENT] },
  { title: "Message Styling", fields: ["font", "font_size", "font_colour", "padding"] },
  { title: "Processing & Delivery", fields: ["clearzone", "post_unverified", "addons"] },
  { title: "Tracking & Variables", fields: ["tags", "campaign_id", "variables"] },
];

export const LETTER_SECTIONS: readonly MailSection[] = [
  { title: "Essential Settings", fields: ["test"] },
  { title: "Content", fields: ["template", "file", "content"] },
  { title: "Recipient Information", fields: ["recipient", ...NEW_RECIPIENT] },
  { title: "Print", fields: ["pages", "duplex", "colour", "paper_type", "envelope_type"] },
  { title: "Processing & Delivery", fields: ["post_unverified", "addons"] },
  { title: "Tracking & Variables", fields: ["tags", "variables"] },
];
