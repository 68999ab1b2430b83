import type { MAIL_PRICES } from "~/catalogue/prices";

/** What can be mailed and costs credits. */
export type MailType = keyof typeof MAIL_PRICES;
