import type { MAIL_PRICES } from "~/catalogue/prices";

export type MailType = keyof typeof MAIL_PRICES;

/** The provider's calls that mail a piece with a price here. */
export const MAIL_PATHS: ReadonlyMap<string, MailType> = new Map([
  ["letters/create", "letter"],
  ["letters/post", "letter"],
  ["postcards/create", "postcard"],
]);
