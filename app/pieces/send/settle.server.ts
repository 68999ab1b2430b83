import type { Evidence } from "~/alarms/alarm-kinds";
import { type Account, loadAccount } from "~/credits/ledger/ledger.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { sendLeaseMs } from "../lease.server";
import type { MailType } from "../mail-type";
import {
  findCreditState,
  formatTreatedAsTest,
  formatUnclearCall,
  MAILED_AFTER_RELEASE,
  PROVIDER_UNREACHABLE,
  RATE_LIMIT_USED_UP,
  SETTLED_LATER,
} from "../messages";
import { alarmPiece, type PieceEventSource } from "../piece-events.server";
import type { CreditState } from "../states";
import { findSend } from "./find-send.server";
import { type CallResult, formatRefusal } from "./piece-call.server";
import { acceptSend, postponeSend, refuseSend } from "./send-transitions.server";
import { settleLater } from "./settle-later.server";

/** What became of a piece's credits by its first call. */
export interface Settled {
  credits: CreditState;
  /** The payer's; null while the database is away. */
  account: Account | null;
}

const FIRST_CHECK_SECONDS = 1;
/** The provider may still be at a call that the end of this process cut off. */
const CUT_OFF_CHECK_SECONDS = 10;

/**
 * Stores what came of the first call with a piece, which `userId` pays. While the database is away that happens as
 * soon as it is back; until then the credits stay held.
 */
export async function settleFirstCall(
  send: { id: string; userId: string; mailType: MailType },
  called: CallResult,
): Promise<Settled> {
  const settle = (db: Db) => applyFirstCall(db, send, called);
  const settled = await withDatabase(async (db) => {
    await settle(db);
    const record = await findSend(db, send.id);
    const credits = findCreditState(record ?? { ...send, state: "sending", charged: 0, note: null });
    return { credits, account: await loadAccount(db, send.userId) };
  });
  if (settled.ok) return settled.value;
  settleLater(sendLeaseMs(), settle);
  return { credits: { kind: "held", why: SETTLED_LATER }, account: null };
}

/** Makes the transition that the outcome of a first call asks for. */
async function applyFirstCall(
  db: Db,
  { id, mailType }: { id: string; mailType: MailType },
  called: CallResult,
): Promise<void> {
  const { answer, outcome } = called;
  const refuse = (note: string) => refuseSend(db, { id, attempts: 1 }, note, answer);
  switch (outcome.kind) {
    case "accepted":
      if (!(await acceptSend(db, id, outcome.providerId, answer))) await alarmIfReleased(db, id);
      return;
    case "sample":
      await refuse(formatTreatedAsTest(mailType));
      return;
    case "refused":
      await refuse(formatRefusal(mailType, answer));
      return;
    case "rate_limited":
      await refuse(RATE_LIMIT_USED_UP);
      return;
    case "never_sent":
      await refuse(PROVIDER_UNREACHABLE);
      return;
    case "unknown": {
      const happened = formatUnclearCall(called, env().providerTimeoutMs);
      const waitSeconds = called.result?.kind === "stopped" ? CUT_OFF_CHECK_SECONDS : FIRST_CHECK_SECONDS;
      await postponeSend(db, { id, attempts: 1 }, waitSeconds, happened, answer);
    }
  }
}

/**
 * Opens an alarm when a piece was mailed after its credits were given back: a person has to look into it.
 * @param said what shows that it was mailed, a sentence
 */
export async function alarmIfReleased(
  db: Db,
  id: string,
  { said = MAILED_AFTER_RELEASE, source = "reconcile", facts }: Partial<ReleasedEvidence> = {},
): Promise<boolean> {
  const record = await findSend(db, id);
  if (record?.state !== "refused") return false;
  await alarmPiece(db, id, {
    kind: "mailed_after_release",
    text: said,
    source,
    once: true,
    ...(facts ? { facts } : {}),
  });
  return true;
}

/** What shows that a released piece was mailed. */
interface ReleasedEvidence extends Pick<Evidence, "facts"> {
  said: string;
  source: PieceEventSource;
}
