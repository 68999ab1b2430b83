/** Pages of the provider's public documentation by topic. */
export const REFERENCE_PAGES = {
  account: "https://www.stannp.com/us/direct-mail-api/account",
  addresses: "https://www.stannp.com/us/direct-mail-api/addresses",
  campaigns: "https://www.stannp.com/us/direct-mail-api/campaigns",
  files: "https://www.stannp.com/us/direct-mail-api/files",
  groups: "https://www.stannp.com/us/direct-mail-api/groups",
  guide: "https://www.stannp.com/us/direct-mail-api/guide",
  letters: "https://www.stannp.com/us/direct-mail-api/letters",
  postcards: "https://www.stannp.com/us/direct-mail-api/postcards",
  recipients: "https://www.stannp.com/us/direct-mail-api/recipients",
  reporting: "https://www.stannp.com/us/direct-mail-api/reporting",
  selections: "https://www.stannp.com/us/direct-mail-api/selections",
  tools: "https://www.stannp.com/us/direct-mail-api/tools",
} as const;

/** Note of fields that this console offers and the provider does not document. */
export const UNDOCUMENTED = "Not in the provider's docs: it may ignore this field.";
