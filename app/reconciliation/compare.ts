import { MAIL_PRICES } from "~/catalogue/prices";
import { formatCredits } from "~/credits/format-credits";
import { isMailId } from "~/pieces/mail-item";
import type { MailType } from "~/pieces/mail-type";
import { parseSendId } from "~/pieces/send-tag";
import { isChecking } from "~/pieces/states";
import { findStatus, isCancelledWord, isTooLate } from "~/pieces/status";
import { DAY_MS } from "~/platform/time";
import {
  type Behind,
  type Comparison,
  type Finding,
  type FindingKind,
  isWithin,
  type Listed,
  type OurPiece,
  type Period,
} from "./reconciliation";

/**
 * Compares our pieces of a period with the provider's: each charged piece should exist there once, and each piece of ours there should be
 * charged.
 * @param pieces each once; listed for a few days more than the period, because a retry may create a piece a day later
 * @param seen base URLs whose list was read to its end
 */
export function compare(
  ours: readonly OurPiece[],
  pieces: readonly Listed[],
  seen: ReadonlySet<string>,
  period: Period,
  now: Date,
): Comparison {
  const totals = { ours: { pieces: 0, credits: 0, cost: 0 }, theirs: { pieces: 0, credits: 0, cost: 0 } };
  const lists = { findings: [], behind: [], foreign: [] };
  const result: Comparison = { totals, agreed: 0, ...lists, moving: 0, unseen: 0 };
  const own = groupBySend(ours, pieces, period, result);
  for (const send of ours) {
    const there = own.get(send.id) ?? [];
    if (!isWithin(send.createdAt, period) && !there.some((piece) => mayBeWithin(piece, period))) continue;
    if (isChecking(send.state) || send.isMoving) {
      result.moving += 1;
    } else if (there.length === 0 && send.paid > 0 && !seen.has(send.baseUrl)) {
      result.unseen += 1;
    } else {
      addToTotals(result, send, there);
      const found = findDifferences(send, there, now);
      result.findings.push(...found);
      if (found.length === 0 && there.length > 0) result.agreed += 1;
      const behind = findBehind(send, there);
      if (behind) result.behind.push(behind);
    }
  }
  return result;
}

/** Groups listed pieces by the id of our piece; the others go into `result`. */
function groupBySend(
  ours: readonly OurPiece[],
  pieces: readonly Listed[],
  period: Period,
  result: Comparison,
): Map<string, Listed[]> {
  const byId = new Map(ours.map((send) => [send.id, send]));
  const byMailId = new Map(
    ours.filter(({ providerId }) => providerId).map((send) => [`${send.baseUrl} ${send.providerId}`, send]),
  );
  const own = new Map<string, Listed[]>();
  for (const piece of pieces) {
    if (piece.status === "test" || !isMailId(piece.id)) continue;
    const tag = parseSendId(piece.tags);
    // A test that the provider mailed has no tag of ours.
    const untagged = () => piece.baseUrls.map((base) => byMailId.get(`${base} ${piece.id}`)).find(Boolean);
    const send = tag === null ? untagged() : byId.get(tag);
    if (send) own.set(send.id, [...(own.get(send.id) ?? []), piece]);
    else if (!mayBeWithin(piece, period)) continue;
    else if (tag === null) result.foreign.push(piece);
    else if (!isCancelledWord(piece.status)) {
      addToTotals(result, null, [piece]);
      const what = `It has the tag mailroom-${tag}, but there is no such piece here.`;
      const next =
        "Compare in any other Mailroom that uses this provider account. If there is none, it was not paid for.";
      result.findings.push({ kind: "unknown", send: null, mailId: piece.id, what, next });
    }
  }
  return own;
}

/** @param send null: a piece with a tag of ours that is not stored here */
function addToTotals({ totals: { ours, theirs } }: Comparison, send: OurPiece | null, listed: Listed[]) {
  const mailed = listed.filter(({ status }) => !isCancelledWord(status));
  const listedCost = mailed.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  theirs.pieces += mailed.length;
  theirs.credits += mailed.reduce((sum, { type }) => sum + (MAIL_PRICES[type as MailType] ?? 0), 0);
  theirs.cost += listedCost;
  if (send === null || send.paid === 0) return;
  ours.pieces += 1;
  ours.credits += send.paid;
  // If the answer named no price, the list's is the only one.
  ours.cost += send.providerCost ?? listedCost;
}

/** Finds the differences of one piece of ours. `listed` is the provider's record of it. */
function findDifferences(send: OurPiece, listed: readonly Listed[], now: Date): Finding[] {
  const { type, paid, cost, providerCost, createdAt } = send;
  const mailed = listed.filter(({ status }) => !isCancelledWord(status));
  const [piece] = mailed;
  const mailId = piece?.id ?? listed[0]?.id ?? send.providerId;
  const findings: Finding[] = [];
  const add = (kind: FindingKind, what: string, next: string) =>
    findings.push({ kind, send: toSubject(send), mailId, what, next });
  if (!piece) {
    if (paid > 0 && listed.length > 0) {
      const what = `The provider cancelled it, but it is still charged here (${formatCredits(paid)}).`;
      add("stopped", what, "Refresh its status in Mail Management: the credits are then refunded.");
    } else if (paid > 0) {
      const isYoung = now.getTime() - createdAt.getTime() < DAY_MS;
      const next = isYoung
        ? "Its list may be late: compare again tomorrow."
        : `Ask the provider. If it was never mailed, add ${formatCredits(paid)} under User Credits.`;
      add("missing", `${formatCredits(paid)} charged here, but the provider lists no such ${type}.`, next);
    }
    return findings;
  }
  if (mailed.length > 1) {
    const ids = mailed.map(({ id }) => id).join(", ");
    const next = "Cancel all but one at the provider while their status is received.";
    add("twice", `The provider has ${mailed.length} pieces for this one: ${ids}.`, next);
  }
  if (paid < cost) add(...explainUnpaid(send, piece));
  if (piece.type !== type && (piece.type === "letter" || piece.type === "postcard")) {
    const what = `It was charged as a ${type}, but the provider has a ${piece.type}.`;
    add("type", what, "Check its request, then correct the difference under User Credits.");
  }
  if (piece.cost !== null && providerCost !== null && Math.abs(piece.cost - providerCost) >= 0.00005) {
    const what = `The provider now charges ${formatAmount(piece.cost)}; its answer said ${formatAmount(providerCost)}.`;
    add("price", what, "Your credits are not affected. Ask the provider, or check its invoice.");
  }
  return findings;
}

/** Explains a mailed piece that is not fully charged. */
function explainUnpaid(
  { state, paid, cost }: OurPiece,
  { status }: Listed,
): [kind: FindingKind, what: string, next: string] {
  const there = `The provider has it${status ? `, with the status ${status}` : ""}; here it`;
  const stopOrDeduct = isTooLate(status)
    ? `It is too late to cancel it: deduct ${formatCredits(cost)} under User Credits.`
    : `Cancel it at the provider, or deduct ${formatCredits(cost)} under User Credits.`;
  switch (state) {
    case "needs_review":
      return ["undecided", `${there} needs a decision.`, "View the piece and choose Mailed."];
    case "cancelled":
      return ["refunded", `${there} is cancelled and refunded.`, stopOrDeduct];
    case "refused":
      return ["released", `${there} counts as not mailed, and nothing is charged.`, stopOrDeduct];
    default: {
      const next = `To charge the rest, deduct ${formatCredits(cost - paid)} under User Credits.`;
      return ["short", `It was mailed, but only ${paid} of ${formatCredits(cost)} could be charged.`, next];
    }
  }
}

function findBehind(send: OurPiece, [piece]: readonly Listed[]): Behind | null {
  const status = send.status ?? "";
  if (!piece || isCancelledWord(piece.status) || isCancelledWord(status)) return null;
  const [here, theirs] = [findStatus(status), findStatus(piece.status)];
  if (!here || !theirs || theirs.rank <= here.rank) return null;
  return { send: toSubject(send), mailId: piece.id, here: status, there: piece.status };
}

function toSubject({ id, payer, type, createdAt }: OurPiece): Behind["send"] {
  return { id, payer, type, createdAt };
}

function mayBeWithin({ createdAt }: Listed, period: Period): boolean {
  return createdAt === null || isWithin(createdAt, period);
}

function formatAmount(amount: number): string {
  return amount.toFixed(amount === Math.round(amount * 100) / 100 ? 2 : 4);
}
