import { describeHeaders } from "~/outside/mail-provider/client.server";
import { withDatabase } from "~/platform/database.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { describeMoment } from "~/ui/moment";
import { createMask, maskPairs } from "./answer.server";
import { parseJson } from "./envelope.server";
import { countCredits } from "./mail-credits";
import { findSend, type SendRecord } from "./send-record.server";
import type { SendStory, StoryEvent, StoryMoney } from "./send-story";

interface LedgerRow {
  id: bigint;
  transactionType: string;
  amount: number;
  balanceAfter: number;
  actorId: string;
  createdAt: Date;
}

/** The whole story of one send (design §3). Fails with `not_found`, or as the database does. */
export async function readSendStory(id: string, now: Date): Promise<Outcome<SendStory>> {
  const read = await withDatabase(async (db) => {
    const send = await findSend(db, id);
    if (!send) return null;
    const rows: LedgerRow[] = await db.creditTransaction.findMany({
      where: { referenceResponseId: id },
      orderBy: { id: "asc" },
    });
    const ids = [send.userId, send.actorId, ...rows.map((row) => row.actorId)];
    const people = await db.user.findMany({ where: { id: { in: ids } } });
    return { send, rows, names: new Map(people.map((person) => [person.id, person.displayName])) };
  });
  if (!read.ok) return read;
  if (!read.value) return fail("not_found", "There is no send with this id.");
  const { send, rows, names } = read.value;
  const nameOf = (who: string) => names.get(who) ?? who;
  const { providerKey } = env();
  const mask = providerKey === null ? (text: string) => text : createMask(providerKey);
  const { answerStatus, answerText } = send;
  return succeed({
    id,
    title: describePiece(send),
    state: send.state,
    ...tellOutcome(send),
    checking: send.state === "held" || send.state === "unknown",
    payer: nameOf(send.userId),
    events: listEvents(send, rows, nameOf, now),
    money: listMoney(send, rows),
    request: {
      method: send.method,
      url: mask(send.url),
      headers: Object.entries(maskPairs(describeHeaders(JSON.parse(send.requestHeaders)), mask)),
      body: mask(elide(send.requestBody)),
    },
    answer: answerStatus === null ? null : { status: answerStatus, text: answerText ?? "" },
  });
}

/** What happened to the mail and to the credits. */
function tellOutcome(send: SendRecord): Pick<SendStory, "mail" | "credits"> {
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
      return { mail: `${piece} is being cancelled.`, credits: `${countCredits(charged)} charged so far.` };
    case "cancelled":
      return { mail: `${piece} was cancelled.`, credits: `${countCredits(charged)} refunded.` };
  }
}

function listEvents(
  send: SendRecord,
  rows: LedgerRow[],
  nameOf: (id: string) => string,
  now: Date,
): StoryEvent[] {
  const at = (time: Date) => describeMoment(time, now);
  const asked = !send.note?.includes("although a test was asked for");
  const events: StoryEvent[] = [
    {
      at: at(send.createdAt),
      text: asked
        ? `${countCredits(send.cost)} held, ${send.mailType} sent`
        : `${send.mailType} sent as a test`,
      by: nameOf(send.actorId),
      tone: "plain",
    },
  ];
  if (send.attempts > 1) {
    const times = send.attempts === 2 ? "once" : `${send.attempts - 1} times`;
    events.push({
      at: at(send.settledAt ?? now),
      text: `Asked again ${times}, with the same key and bytes`,
      by: "reconciler",
      tone: "plain",
    });
  }
  if (send.note) {
    const tone = send.state === "needs_review" ? "bad" : send.state === "refused" ? "plain" : "warn";
    events.push({ at: at(send.settledAt ?? now), text: capitalise(send.note), by: "", tone });
  }
  if (send.state === "accepted" || send.state === "cancelled") {
    const item = send.providerId ? `, item ${send.providerId}` : "";
    events.push({ at: at(send.settledAt ?? now), text: `Provider accepted${item}`, by: "", tone: "ok" });
  }
  for (const row of rows) {
    const words =
      { debit: "charged", refund: "refunded", release: "released" }[row.transactionType] ?? "booked";
    events.push({
      at: at(row.createdAt),
      text: `${countCredits(row.amount || send.cost)} ${words}`,
      by: `${nameOf(row.actorId)}, ledger #${row.id}`,
      tone: row.transactionType === "debit" ? "plain" : "ok",
    });
  }
  if (send.state === "refused" && rows.length === 0) {
    events.push({
      at: at(send.settledAt ?? now),
      text: `${countCredits(send.cost)} given back, nothing charged`,
      by: "",
      tone: "ok",
    });
  }
  return events;
}

function listMoney(send: SendRecord, rows: LedgerRow[]): StoryMoney[] {
  const open = ["held", "unknown", "needs_review"].includes(send.state);
  const outcome = open ? "held now" : send.state === "refused" ? "given back" : "captured";
  const hold: StoryMoney = { id: null, what: `Hold of ${send.cost}, ${outcome}`, change: "", balance: null };
  const booked = rows.map((row) => ({
    id: Number(row.id),
    what:
      { debit: "Charge", refund: "Refund", release: "Release" }[row.transactionType] ?? row.transactionType,
    change: row.transactionType === "debit" ? `−${row.amount}` : row.amount === 0 ? "0" : `+${row.amount}`,
    balance: row.balanceAfter,
  }));
  return [hold, ...booked];
}

/** "Postcard 4x6 to recipient 1001", as far as the request says so. */
function describePiece(send: SendRecord): string {
  const fields = readFields(send.requestBody);
  const size = typeof fields.size === "string" ? ` ${fields.size}` : "";
  return `${capitalise(send.mailType)}${size}${describeRecipient(fields)}`;
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

function readFields(body: string): Record<string, unknown> {
  const parsed = parseJson(body);
  if (typeof parsed === "object" && parsed !== null) return parsed as Record<string, unknown>;
  return Object.fromEntries(new URLSearchParams(body));
}

/** Files as base64 are told by their size; everything else stands as it was sent. */
function elide(body: string): string {
  return body.replace(
    /[A-Za-z0-9+/=%]{1000,}/g,
    (file) => `[${file.length.toLocaleString("en")} characters of a file]`,
  );
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
