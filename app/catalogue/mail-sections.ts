/** The sections of the postcard and the letter form below settings and recipient, with the names of their fields. */

interface MailSection {
  title: string;
  /** In their order on screen. */
  fields: readonly string[];
  /** Opens by its title, which says what is set. */
  folded?: true;
}

export const POSTCARD_SECTIONS: readonly MailSection[] = [
  { title: "Content & Design", fields: ["template", "front", "back", "message", "signature"] },
  { title: "Message Styling", fields: ["font", "font_size", "font_colour", "padding"], folded: true },
  { title: "Processing & Delivery", fields: ["clearzone", "post_unverified", "addons"], folded: true },
  { title: "Tracking & Variables", fields: ["tags", "campaign_id", "variables"], folded: true },
];

export const LETTER_SECTIONS: readonly MailSection[] = [
  { title: "Content", fields: ["content", "file", "template"] },
  { title: "Print", fields: ["duplex", "colour", "paper_type", "pages", "envelope_type"], folded: true },
  { title: "Processing & Delivery", fields: ["post_unverified", "addons"], folded: true },
  { title: "Tracking & Variables", fields: ["tags", "variables"], folded: true },
];
