/** What the Code tab says. */

/** Where the key comes from, by whom the program calls. */
export const CODE_SECRETS = {
  provider:
    "Set STANNP_API_KEY in your program's environment. The provider does not fill {placeholders} and prints no typed letter text.",
  mailroom:
    "Set MAILROOM_TOKEN to a personal token. Mailroom fills {placeholders}, makes the PDF, charges credits and stores the answer.",
};
export const CODE_NEEDS = {
  curl: "",
  javascript: "",
  php: "Needs PHP's curl extension.",
  python: "Needs the package requests.",
};
