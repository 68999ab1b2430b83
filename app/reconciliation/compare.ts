import { MAIL_PRICES } from "~/catalogue/prices";
import { formatCredits } from "~/credits/format-credits";
import { isMailId } from "~/pieces/mail-item";
import type { MailType } from "~/pieces/mail-type";
import { parseSendId } from "~/pieces/send-tag";
import { isChecking } from "~/pieces/states";
import { findStatus, isCancelledWord, isTooLate } from "~/pieces/status";
import { DAY_MS, formatIsoDay } from "~/platform/time";
import {
  type Behind,
  type Comparison,
  type Finding,
  type FindingKind,
  GROUP_OF,
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
  const result: Comparison = {
    totals,
    agreed: 0,
    findings: [],
    behind: [],
    foreign: [],
    moving: 0,
    unseen: 0,
  };
  const own = groupBySend(ours, pieces, period, result);
  for (const send of ours) {
    const there = own.get(send.id) ?? [];
    if (!isWithin(send.createdAt, period) && !there.some(({ createdAt }) => isWithin(createdAt, period))) {
      continue;
    }
    if (isChecking(send.state) || send.isMoving) {
      result.moving += 1;
    } else if (there.length === 0 && send.paid > 0 && !seen.has(send.baseUrl)) {
      result.unseen += 1;
    } else {
      addToTotals(result, send, there);
      const found = findDifferences(send, there, now);
      for (const finding of found) result.findings.push(finding);
      if (found.length === 0 && there.length > 0) result.agreed += 1;
      const late = findBehind(send, there);
      if (late) result.behind.push(late);
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
    else if (!isWithin(piece.createdAt, period)) continue;
    else if (tag === null) result.foreign.push(piece);
    else if (!isCancelledWord(piece.status)) {
      const unknown = { kind: "unknown", group: GROUP_OF.unknown, send: null, mailId: piece.id } as const;
      addToTotals(result, null, [piece]);
      result.findings.push({ ...unknown, ...FINDINGS.unknown(tag) });
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

type Explained = Pick<Finding, "what" | "next">;

interface Charged {
  /** `letter` or `postcard` */
  type: string;
  /** Credits charged for it, by the ledger. */
  paid: number;
  /** Its price in credits. */
  cost: number;
}

const FINDINGS = {
  missing: ({ type, paid }: Charged, isYoung: boolean): Explained => ({
    what: `${formatCredits(paid)} charged here, but the provider lists no such ${type}.`,
    next: isYoung
      ? "Its list may be late: compare again tomorrow."
      : `Ask the provider. If it was never mailed, add ${formatCredits(paid)} under User Credits.`,
  }),
  stopped: ({ paid }: Charged): Explained => ({
    what: `The provider cancelled it, but it is still charged here (${formatCredits(paid)}).`,
    next: "Refresh its status in Mail Management: the credits are then refunded.",
  }),
  twice: (mailIds: string[]): Explained => ({
    what: `The provider has ${mailIds.length} pieces for this one: ${mailIds.join(", ")}.`,
    next: "Cancel all but one at the provider while their status is received.",
  }),
  type: ({ type }: Charged, listedType: string): Explained => ({
    what: `It was charged as a ${type}, but the provider has a ${listedType}.`,
    next: "Check its request, then correct the difference under User Credits.",
  }),
  price: (listed: number, quoted: number): Explained => ({
    what: `The provider now charges ${money(listed)}; its answer said ${money(quoted)}.`,
    next: "Your credits are not affected. Ask the provider, or check its invoice.",
  }),
  undecided: (piece: Listed): Explained => ({
    what: `${providerHas(piece)}; here it needs a decision.`,
    next: "View the piece and choose Mailed.",
  }),
  refunded: (piece: Listed, charged: Charged, isTooLate: boolean): Explained => ({
    what: `${providerHas(piece)}; here it is cancelled and refunded.`,
    next: stopOrDeduct(charged, isTooLate),
  }),
  released: (piece: Listed, charged: Charged, isTooLate: boolean): Explained => ({
    what: `${providerHas(piece)}; here it counts as not mailed, and nothing is charged.`,
    next: stopOrDeduct(charged, isTooLate),
  }),
  short: ({ paid, cost }: Charged): Explained => ({
    what: `It was mailed, but only ${paid} of ${formatCredits(cost)} could be charged.`,
    next: `To charge the rest, deduct ${formatCredits(cost - paid)} under User Credits.`,
  }),
  unknown: (pieceId: string): Explained => ({
    what: `It has the tag mailroom-${pieceId}, but there is no such piece here.`,
    next: "Compare in any other Mailroom that uses this provider account. If there is none, it was not paid for.",
  }),
};

type BuildFinding = (kind: FindingKind, explained: Explained) => Finding;

/** Finds the differences of one piece of ours. `listed` is the provider's record of it. */
function findDifferences(send: OurPiece, listed: readonly Listed[], now: Date): Finding[] {
  const mailed = listed.filter(({ status }) => !isCancelledWord(status));
  const [piece] = mailed;
  const buildFinding: BuildFinding = (kind, explained) => ({
    kind,
    group: GROUP_OF[kind],
    send: toSubject(send),
    mailId: piece?.id ?? listed[0]?.id ?? send.providerId,
    ...explained,
  });
  if (!piece) {
    if (send.paid === 0) return [];
    if (listed.length > 0) return [buildFinding("stopped", FINDINGS.stopped(send))];
    const isYoung = now.getTime() - send.createdAt.getTime() < DAY_MS;
    return [buildFinding("missing", FINDINGS.missing(send, isYoung))];
  }
  const findings: Finding[] = [];
  if (mailed.length > 1) findings.push(buildFinding("twice", FINDINGS.twice(mailed.map(({ id }) => id))));
  if (send.paid < send.cost) findings.push(findUnpaid(send, piece, buildFinding));
  if (piece.type !== send.type && (piece.type === "letter" || piece.type === "postcard")) {
    findings.push(buildFinding("type", FINDINGS.type(send, piece.type)));
  }
  const { cost } = piece;
  if (cost !== null && send.providerCost !== null && Math.abs(cost - send.providerCost) >= 0.00005) {
    findings.push(buildFinding("price", FINDINGS.price(cost, send.providerCost)));
  }
  return findings;
}

/** Explains a mailed piece that is not fully charged. */
function findUnpaid(send: OurPiece, piece: Listed, buildFinding: BuildFinding): Finding {
  const late = isTooLate(piece.status);
  if (send.state === "needs_review") return buildFinding("undecided", FINDINGS.undecided(piece));
  if (send.state === "cancelled") return buildFinding("refunded", FINDINGS.refunded(piece, send, late));
  if (send.state === "refused") return buildFinding("released", FINDINGS.released(piece, send, late));
  return buildFinding("short", FINDINGS.short(send));
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

function isWithin(at: Date | null, { from, to }: Period): boolean {
  if (at === null) return true;
  const day = formatIsoDay(at);
  return day >= from && day <= to;
}

function stopOrDeduct({ cost }: Charged, isTooLate: boolean): string {
  return isTooLate
    ? `It is too late to cancel it: deduct ${formatCredits(cost)} under User Credits.`
    : `Cancel it at the provider, or deduct ${formatCredits(cost)} under User Credits.`;
}

function providerHas({ status }: Listed): string {
  return status ? `The provider has it, with the status ${status}` : "The provider has it";
}

function money(amount: number): string {
  return amount.toFixed(amount === Math.round(amount * 100) / 100 ? 2 : 4);
}
