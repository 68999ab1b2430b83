import type { MAIL_PRICES } from "~/catalogue/prices";

/** A type of mail that costs credits. */
export type MailType = keyof typeof MAIL_PRICES;
