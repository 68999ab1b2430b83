import { isMailId } from "~/pieces/mail-item";
import { readSendId } from "~/pieces/send-tag";
import { findStatus, isCancelledWord, isTooLate } from "~/pieces/status";
import { DAY_MS, formatIsoDay } from "~/platform/time";
import {
  type Behind,
  type Booked,
  type Comparison,
  type Finding,
  type FindingGroup,
  type FindingKind,
  GROUP_OF,
  type Listed,
  type Period,
} from "./reconciliation";

/** Whether the provider has what was charged here, and nothing else of ours (money.md I6). */

/** States that the background settles by itself. */
const UNDER_WAY = ["held", "unknown", "cancelling"];

/**
 * Compares what is booked here with what the provider lists, for the pieces and sends of a period.
 * @param pieces each once; a few days more than the period, since a send may become a piece a day later
 * @param seen base URLs whose account was listed to its end
 */
export function compare(
  booked: readonly Booked[],
  pieces: readonly Listed[],
  seen: ReadonlySet<string>,
  period: Period,
  now: Date,
): Comparison {
  const result: Comparison = { agreed: 0, findings: [], behind: [], foreign: [], moving: 0, unseen: 0 };
  const own = shareOut(booked, pieces, period, result);
  for (const send of booked) {
    const there = own.get(send.id) ?? [];
    if (!isWithin(send.createdAt, period) && !there.some(({ createdAt }) => isWithin(createdAt, period))) {
      continue;
    }
    if (UNDER_WAY.includes(send.state) || send.isMoving) {
      result.moving += 1;
    } else if (there.length === 0 && send.paid > 0 && !seen.has(send.baseUrl)) {
      result.unseen += 1;
    } else {
      const found = judge(send, there, now);
      result.findings.push(...found);
      if (found.length === 0 && there.length > 0) result.agreed += 1;
      const late = findLate(send, there);
      if (late) result.behind.push(late);
    }
  }
  return result;
}

/** The pieces of each send by its id; what is no send's is put where it belongs in the result. */
function shareOut(
  booked: readonly Booked[],
  pieces: readonly Listed[],
  period: Period,
  result: Comparison,
): Map<string, Listed[]> {
  const byId = new Map(booked.map((send) => [send.id, send]));
  const byMailId = new Map(
    booked.filter(({ providerId }) => providerId).map((send) => [`${send.baseUrl} ${send.providerId}`, send]),
  );
  const own = new Map<string, Listed[]>();
  for (const piece of pieces) {
    if (piece.status === "test" || !isMailId(piece.id)) continue;
    const tag = readSendId(piece.tags);
    // What was asked for as a test, and mailed all the same, went out without our tag.
    const untagged = () => piece.baseUrls.map((base) => byMailId.get(`${base} ${piece.id}`)).find(Boolean);
    const send = tag === null ? untagged() : byId.get(tag);
    if (send) own.set(send.id, [...(own.get(send.id) ?? []), piece]);
    else if (!isWithin(piece.createdAt, period)) continue;
    else if (tag === null) result.foreign.push(piece);
    else if (!isCancelledWord(piece.status)) result.findings.push(describeUnknown(piece, tag));
  }
  return own;
}

function judge(send: Booked, there: readonly Listed[], now: Date): Finding[] {
  const mailed = there.filter(({ status }) => !isCancelledWord(status));
  const [piece] = mailed;
  const find = (kind: FindingKind, what: string, next: string): Finding => ({
    ...base(kind),
    send: { id: send.id, payer: send.payer, type: send.type, createdAt: send.createdAt },
    mailId: piece?.id ?? there[0]?.id ?? send.providerId,
    what,
    next,
  });
  const charged = `${credits(send.paid)} ${send.paid === 1 ? "is" : "are"} charged here`;
  if (there.length === 0) {
    if (send.paid === 0) return [];
    const young = now.getTime() - send.createdAt.getTime() < DAY_MS;
    return [
      find(
        "missing",
        `${charged}, and the provider lists no such ${send.type}.`,
        young
          ? "Its list may be late: compare again tomorrow."
          : `Ask the provider about it. If it was never mailed, add ${credits(send.paid)} under User Credits.`,
      ),
    ];
  }
  if (!piece) {
    if (send.paid === 0) return [];
    const what = `The provider cancelled it; ${charged} all the same.`;
    return [
      find("stopped", what, "Refresh its status in Mail Management: the credits then come back, once."),
    ];
  }
  const findings: Finding[] = [];
  if (mailed.length > 1) {
    const ids = mailed.map(({ id }) => id).join(", ");
    findings.push(
      find(
        "twice",
        `The provider has ${mailed.length} pieces of this one send: ${ids}.`,
        "Cancel all but one with the provider, while they say received.",
      ),
    );
  }
  findings.push(...judgeCharge(send, piece, find));
  if (piece.type !== send.type && (piece.type === "letter" || piece.type === "postcard")) {
    const what = `It is booked here as a ${send.type}; the provider has a ${piece.type}.`;
    findings.push(
      find("type", what, "Look at its request, and put the difference right under User Credits."),
    );
  }
  const { cost } = piece;
  if (cost !== null && send.providerCost !== null && Math.abs(cost - send.providerCost) >= 0.00005) {
    const what = `The provider asks ${money(cost)} for it now, and said ${money(send.providerCost)} when it took it.`;
    findings.push(find("price", what, "No credits are touched. Ask the provider, or look at its invoice."));
  }
  return findings;
}

/** Of a piece that goes out. */
function judgeCharge(
  send: Booked,
  piece: Listed,
  find: (kind: FindingKind, what: string, next: string) => Finding,
): Finding[] {
  const has = `The provider has it and says ${piece.status || "nothing of its status"}`;
  const stop = isTooLate(piece.status)
    ? `It is too late to stop it: deduct ${credits(send.cost)} under User Credits.`
    : `Cancel it with the provider, or deduct ${credits(send.cost)} under User Credits.`;
  if (send.paid >= send.cost) return [];
  if (send.state === "needs_review") {
    return [
      find(
        "undecided",
        `${has}; here a person has still to decide.`,
        "Open its page and say that it was mailed.",
      ),
    ];
  }
  if (send.state === "cancelled")
    return [find("refunded", `${has}; here it is cancelled and refunded.`, stop)];
  if (send.state === "refused") {
    return [find("released", `${has}; here it counts as not mailed, and nothing is charged.`, stop)];
  }
  const rest = send.cost - send.paid;
  return [
    find(
      "short",
      `It was mailed, and only ${send.paid} of ${credits(send.cost)} could be charged.`,
      `Deduct ${credits(rest)} under User Credits, if its payer shall pay the rest.`,
    ),
  ];
}

function describeUnknown(piece: Listed, tag: string): Finding {
  return {
    ...base("unknown"),
    send: null,
    mailId: piece.id,
    what: `It carries the tag mailroom-${tag}, and no send here has this id.`,
    next: "Compare in whatever other Mailroom uses this provider account; if there is none, nobody paid for it.",
  };
}

function findLate(send: Booked, there: readonly Listed[]): Behind | null {
  const [piece] = there;
  const here = findStatus(send.status ?? "");
  const said = findStatus(piece?.status ?? "");
  if (!piece || !here || !said || isCancelledWord(piece.status) || isCancelledWord(send.status ?? "")) {
    return null;
  }
  if (said.rank <= here.rank) return null;
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

function base(kind: FindingKind): { kind: FindingKind; group: FindingGroup } {
  return { kind, group: GROUP_OF[kind] };
}

function credits(count: number): string {
  return `${count} ${count === 1 ? "credit" : "credits"}`;
}

function money(amount: number): string {
  return amount.toFixed(amount === Math.round(amount * 100) / 100 ? 2 : 4);
}
