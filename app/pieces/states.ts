import type { Standing } from "~/sending/credit-outcome";
import type { MailType } from "./mail-type";

/**
 * `held`: going out now, or cut off on its way. `unknown`: may have been accepted, being looked up.
 * `needs_review`: only a person can tell. The cost stays held in these three. `accepted`, `refused`: settled.
 */
export type SendState =
  | "held"
  | "unknown"
  | "needs_review"
  | "accepted"
  | "refused"
  | "cancelling"
  | "cancelled";

/** Where the credits of a kept send stand. */
export function findStanding(send: {
  state: SendState;
  mailType: MailType;
  charged: number;
  note: string | null;
}): Standing {
  switch (send.state) {
    case "accepted":
    case "cancelling":
    case "cancelled":
      return { kind: "charged", charged: send.charged };
    case "refused":
      return { kind: "released", why: send.note ?? "it was not mailed." };
    case "needs_review":
      return { kind: "held", why: "a person has to say whether it was mailed." };
    case "held":
    case "unknown":
      return { kind: "held", why: `it is not known yet whether this ${send.mailType} was mailed.` };
  }
}
