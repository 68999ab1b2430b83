import { buildPresets } from "../rows";

const WHO_IS_THIS = {
  account_id: "4817",
  user_id: "9120",
  email: "mail.operator@example.com",
  first_name: "Maren",
  last_name: "Okafor",
};

/** The user of the key. */
export const KEY_PRESETS = buildPresets("authentication", [
  {
    label: "Check the key",
    description: "Shows which account and user the server's key belongs to.",
    method: "GET",
    path: "users/me",
    page: "guide",
    example: WHO_IS_THIS,
    documented: true,
    note: "Older pages call it user/info.",
  },
]);

/** The account of the key. */
export const ACCOUNT_PRESETS = buildPresets("account", [
  {
    label: "Account details",
    description: "Shows the account and the owner of the server's key.",
    method: "GET",
    path: "account",
    page: "guide",
    example: WHO_IS_THIS,
    documented: { path: "users/me" },
  },
  {
    label: "Account balance",
    description: "Shows the money left with the provider, in the account's currency.",
    method: "GET",
    path: "account/balance",
    example: { balance: "2418.6600" },
    documented: { path: "accounts/balance" },
    note: "The documented path is accounts/balance.",
  },
  {
    label: "Account usage",
    description: "Counts the account's mail and recipients.",
    method: "GET",
    path: "account/usage",
    example: { postcards: 214, letters: 96, recipients: 1320 },
    note: "The closest documented call is reporting/summary, for a range of dates.",
  },
  {
    label: "Account settings",
    description: "Shows the account's defaults, such as country and postcard size.",
    method: "GET",
    path: "account/settings",
    example: { country: "US", timezone: "UTC", default_size: "4x6", clearzone: true },
    note: "Settings are on the provider's website.",
  },
  {
    label: "Provider credits",
    description: "Shows the provider's credit, which is separate from the credits in this console.",
    method: "GET",
    path: "account/credits",
    example: { credits: "2418.6600" },
    note: "The closest documented call is accounts/balance.",
  },
  {
    label: "Price list",
    description: "Lists the price of each kind of piece.",
    method: "GET",
    path: "account/pricing",
    example: [
      { type: "postcard", size: "4x6", cost: "0.99" },
      { type: "postcard", size: "6x9", cost: "1.29" },
      { type: "letter", size: "US-LETTER", cost: "1.17" },
    ],
    note: "The response to a test postcard or letter shows its price.",
  },
]);
