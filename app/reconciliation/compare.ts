import { MAIL_PRICES } from "~/catalogue/prices";
import { isMailId } from "~/pieces/mail-item";
import type { MailType } from "~/pieces/mail-type";
import { parseSendId } from "~/pieces/send-tag";
import { isChecking } from "~/pieces/states";
import { findStatus, isCancelledWord, isTooLate } from "~/pieces/status";
import { DAY_MS, formatIsoDay } from "~/platform/time";
import { FINDINGS } from "./messages";
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
function addToTotals(
  { totals: { ours, theirs } }: Comparison,
  send: OurPiece | null,
  listed: Listed[],
): void {
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

type Find = (kind: FindingKind, explained: Pick<Finding, "what" | "next">) => Finding;

/** Finds the differences of one piece of ours. `listed` is the provider's record of it. */
function findDifferences(send: OurPiece, listed: readonly Listed[], now: Date): Finding[] {
  const mailed = listed.filter(({ status }) => !isCancelledWord(status));
  const [piece] = mailed;
  const find: Find = (kind, explained) => ({
    kind,
    group: GROUP_OF[kind],
    send: { id: send.id, payer: send.payer, type: send.type, createdAt: send.createdAt },
    mailId: piece?.id ?? listed[0]?.id ?? send.providerId,
    ...explained,
  });
  if (!piece) {
    if (send.paid === 0) return [];
    if (listed.length > 0) return [find("stopped", FINDINGS.stopped(send))];
    const isYoung = now.getTime() - send.createdAt.getTime() < DAY_MS;
    return [find("missing", FINDINGS.missing(send, isYoung))];
  }
  const findings: Finding[] = [];
  if (mailed.length > 1) findings.push(find("twice", FINDINGS.twice(mailed.map(({ id }) => id))));
  if (send.paid < send.cost) findings.push(findUnpaid(send, piece, find));
  if (piece.type !== send.type && (piece.type === "letter" || piece.type === "postcard")) {
    findings.push(find("type", FINDINGS.type(send, piece.type)));
  }
  const { cost } = piece;
  if (cost !== null && send.providerCost !== null && Math.abs(cost - send.providerCost) >= 0.00005) {
    findings.push(find("price", FINDINGS.price(cost, send.providerCost)));
  }
  return findings;
}

/** Explains a mailed piece that is not fully charged. */
function findUnpaid(send: OurPiece, piece: Listed, find: Find): Finding {
  const late = isTooLate(piece.status);
  if (send.state === "needs_review") return find("undecided", FINDINGS.undecided(piece));
  if (send.state === "cancelled") return find("refunded", FINDINGS.refunded(piece, send, late));
  if (send.state === "refused") return find("released", FINDINGS.released(piece, send, late));
  return find("short", FINDINGS.short(send));
}

function findBehind(send: OurPiece, there: readonly Listed[]): Behind | null {
  const [piece] = there;
  const here = findStatus(send.status ?? "");
  const theirs = findStatus(piece?.status ?? "");
  if (!piece || !here || !theirs || isCancelledWord(piece.status) || isCancelledWord(send.status ?? "")) {
    return null;
  }
  if (theirs.rank <= here.rank) return null;
  const { id, payer, type, createdAt } = send;
  return {
    send: { id, payer, type, createdAt },
    mailId: piece.id,
    here: send.status ?? "",
    there: piece.status,
  };
}

function isWithin(at: Date | null, { from, to }: Period): boolean {
  if (at === null) return true;
  const day = formatIsoDay(at);
  return day >= from && day <= to;
}
