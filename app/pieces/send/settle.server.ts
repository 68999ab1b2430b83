import { type Account, loadAccount } from "~/credits/ledger/ledger.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { log } from "~/platform/log.server";
import type { Remarks } from "~/sending/answer.server";
import type { Standing } from "~/sending/credit-outcome";
import { tellEnding } from "~/sending/unanswered";
import type { MailType } from "../mail-type";
import { findStanding } from "../states";
import { findSend } from "./find-send.server";
import { leaseMs, type MailResult, tellRefusal } from "./provider-call.server";
import { acceptSend, postponeSend, refuseSend } from "./send-record.server";
import { settleLater } from "./settle-later.server";

/** How a try of live mail was booked, and what the caller is told of it. */
export interface Settled {
  standing: Standing;
  /** Null while the database is away. */
  account: Account | null;
  remarks: Remarks;
}

/** What a try asks to be booked. */
interface Booking {
  /** Answers the account, or null when the send is settled already. */
  book: (db: Db) => Promise<Account | null>;
  remarks: Remarks;
}

const FIRST_LOOK_SECONDS = 1;
const MAY_BE_ACCEPTED = "The provider may have accepted this. It will not be sent twice; checking.";

/**
 * Books the first try of a send, which `userId` pays. While the database is away it is booked as soon as it is
 * back; until then the credits stay held.
 */
export async function settleTry(
  send: { id: string; userId: string; mailType: MailType },
  tried: MailResult,
): Promise<Settled> {
  const booking = planBooking(send.id, send.mailType, tried);
  const booked = await withDatabase(async (db) => {
    await booking.book(db);
    const record = await findSend(db, send.id);
    const standing = record
      ? findStanding(record)
      : findStanding({ ...send, state: "held", charged: 0, note: null });
    return { standing, account: await loadAccount(db, send.userId) };
  });
  if (booked.ok) return { ...booked.value, remarks: booking.remarks };
  settleLater(leaseMs(), booking.book);
  const why = "the database went away before this was booked, which happens once when it is back.";
  return { standing: { kind: "held", why }, account: null, remarks: booking.remarks };
}

/** Alarms when a piece turns out to be mailed after its credits were given back: a person has to look. */
export async function reportReleased(db: Db, id: string): Promise<void> {
  const record = await findSend(db, id);
  if (record?.state === "refused") log.error("a released send was mailed", { reason: id });
}

/** What a first try means for the send (money.md §2 "Reading an answer"). */
function planBooking(id: string, mailType: MailType, { answer, verdict, result }: MailResult): Booking {
  const refuse = (note: string, remarks: Remarks = {}): Booking => ({
    book: (db) => refuseSend(db, { id, attempts: 1 }, note, answer),
    remarks,
  });
  switch (verdict.kind) {
    case "accepted":
      return {
        book: async (db) => {
          const account = await acceptSend(db, id, verdict.providerId, answer);
          if (!account) await reportReleased(db, id);
          return account;
        },
        remarks: {},
      };
    case "sample":
      return refuse(`the provider treated this ${mailType} as a test, so nothing was mailed.`, {
        hint: `The provider treated this ${mailType} as a test: nothing was mailed and nothing was charged.`,
      });
    case "refused":
      return refuse(tellRefusal(mailType, answer));
    case "rate_limited":
      return refuse(`the provider's rate limit was used up.`);
    case "never_sent":
      return refuse("the provider could not be reached.");
    case "unknown": {
      const happened =
        result && result.kind !== "unreachable"
          ? tellEnding(result.kind, env().providerTimeoutMs)
          : `The provider's answer (status ${answer?.status ?? "unknown"}) does not say whether it was done.`;
      return {
        book: async (db) => {
          await postponeSend(db, { id, attempts: 1 }, FIRST_LOOK_SECONDS, happened, answer);
          return null;
        },
        remarks: {
          pending: true,
          error: `${happened} ${MAY_BE_ACCEPTED}`,
          hint: "Follow it on its own page. Sending the same request again only shows this send.",
        },
      };
    }
  }
}
