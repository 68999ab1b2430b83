import type { SendRecord } from "~/pieces/send/find-send.server";
import { countCredits } from "~/sending/credit-outcome";
import type { SendStory } from "./story";

/** What happened to the mail and to the credits, in a sentence each. */
export function tellOutcome(
  send: Pick<SendRecord, "state" | "mailType" | "cost" | "charged" | "note" | "providerId">,
): Pick<SendStory, "mail" | "credits"> {
  const { mailType, cost, charged, note } = send;
  const piece = `This ${mailType}`;
  switch (send.state) {
    case "accepted":
      return {
        mail: `${piece} was accepted by the provider${send.providerId ? ` as item ${send.providerId}` : ""}.`,
        credits:
          charged < cost
            ? `It costs ${countCredits(cost)}; only ${charged} could be deducted.`
            : `${countCredits(charged)} ${charged === 1 ? "was" : "were"} charged, once.`,
      };
    case "refused":
      return {
        mail: `Nothing was mailed: ${note ?? "the provider refused it."}`,
        credits: "Nothing was charged.",
      };
    case "needs_review":
      return {
        mail: `It cannot be told whether this ${mailType} was mailed: ${note ?? ""}`,
        credits: `${countCredits(cost)} held until somebody decides.`,
      };
    case "held":
    case "unknown":
      return {
        mail: `The provider may have accepted this ${mailType}. It will not be sent twice; checking.`,
        credits: `${countCredits(cost)} held; charged once if it was mailed, given back if not.`,
      };
    case "cancelling":
      return {
        mail: `${piece} is being cancelled; the provider has not confirmed it yet.`,
        credits: `${countCredits(charged)} charged so far; refunded once if it is cancelled.`,
      };
    case "cancelled":
      return {
        mail: `${piece} was cancelled and is not mailed.`,
        credits: `${countCredits(charged)} ${charged === 1 ? "was" : "were"} refunded, once.`,
      };
  }
}

/** "Postcard 4x6 to recipient 1001", as far as the request says so. */
export function describePiece(mailType: string, fields: Record<string, unknown>): string {
  const size = typeof fields.size === "string" ? ` ${fields.size}` : "";
  return `${capitalise(mailType)}${size}${describeRecipient(fields)}`;
}

function describeRecipient(fields: Record<string, unknown>): string {
  const { recipient } = fields;
  if (typeof recipient === "string" || typeof recipient === "number") return ` to recipient ${recipient}`;
  const part = (name: string) =>
    String((recipient as Record<string, unknown> | undefined)?.[name] ?? fields[`recipient[${name}]`] ?? "");
  const name = [part("firstname"), part("lastname")].filter(Boolean).join(" ") || part("company");
  const place = part("city");
  if (name === "") return "";
  return ` to ${name}${place === "" ? "" : `, ${place}`}`;
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
