/** The pages of the provider's public reference, by what they are about. */
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
