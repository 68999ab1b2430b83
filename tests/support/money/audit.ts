import { verifyLedger } from "~/credits/ledger/verify-ledger.server";
import type { PrismaClient } from "../../../prisma/client/client";
import type { MailProvider } from "../../emulators/mail-provider";
import type { AcceptedPiece } from "../../emulators/mail-provider/emulator";

/** A comparison of the books with the provider. All lists are empty when they agree. */
export interface Audit {
  sends: number;
  accepted: number;
  /** Live pieces at the provider. */
  pieces: number;
  /** Sends with more than one piece at the provider. */
  duplicates: string[];
  /**
   * Sends that are accepted without a piece, pieces whose send is missing or not accepted, and those that are
   * cancelled on one side only (I6).
   */
  strays: string[];
  /** Problems that `verify-ledger` found. */
  creditErrors: string[];
  /** Sends that are held, unknown or being cancelled. */
  open: string[];
  /** Keys in two concurrent requests at the provider. */
  overlaps: readonly string[];
}

const MAILED = new Set(["accepted", "cancelling", "cancelled"]);
export async function auditBooks(db: PrismaClient, provider: MailProvider): Promise<Audit> {
  const sends = await db.send.findMany({
    select: { id: true, state: true, providerId: true, attempts: true, note: true },
  });
  const pieces = provider.pieces.filter(({ test }) => !test);
  const findings = await verifyLedger(db);
  const ids = new Set(sends.map(({ id }) => id));
  const byProviderId = new Map(sends.map((send) => [send.providerId, send.id]));
  const found = new Map<string, AcceptedPiece[]>();
  const unknown: string[] = [];
  for (const piece of pieces) {
    // The provider may cut tags and repeat ids; a piece's key is its send's id.
    const key = piece.idempotencyKey ?? "";
    const id = ids.has(key) ? key : byProviderId.get(String(piece.id));
    if (id === undefined) unknown.push(`piece ${piece.id} has no send`);
    else found.set(id, [...(found.get(id) ?? []), piece]);
  }
  const states = new Map(sends.map(({ id, state }) => [id, state]));
  const story = (id: string) => {
    const send = sends.find((one) => one.id === id);
    const answers = provider.received
      .filter(({ headers }) => headers["x-idempotency-key"] === id)
      .map(({ answeredStatus }) => answeredStatus ?? "nothing");
    return `(${send?.attempts} tries, answered ${answers.join(", ")}; note: ${send?.note})`;
  };
  return {
    sends: sends.length,
    accepted: sends.filter(({ state }) => MAILED.has(state)).length,
    pieces: pieces.length,
    duplicates: [...found].flatMap(([id, { length }]) =>
      length > 1 ? [`${id} was mailed ${length} times`] : [],
    ),
    strays: [
      ...unknown,
      ...sends.flatMap(({ id, state }) =>
        MAILED.has(state) && !found.has(id) ? [`${id} is ${state} and was not mailed ${story(id)}`] : [],
      ),
      ...[...found.keys()].flatMap((id) => {
        const state = states.get(id);
        return state !== undefined && MAILED.has(state)
          ? []
          : [`${id} was mailed and is ${state ?? "unknown to us"} ${story(id)}`];
      }),
      ...[...found].flatMap(([id, [piece]]) => {
        const state = states.get(id);
        return state === undefined || (piece?.status === "cancelled") === (state === "cancelled")
          ? []
          : [`${id} is ${piece?.status} at the provider and ${state} here`];
      }),
    ],
    creditErrors: findings.flatMap(({ id, problems }) => problems.map((problem) => `${id}: ${problem}`)),
    open: sends.flatMap(({ id, state }) =>
      ["reserved", "sending", "unknown", "cancelling"].includes(state) ? [`${id} is ${state}`] : [],
    ),
    overlaps: [...new Set(provider.overlappingKeys)],
  };
}

/** The result that every audit must have. */
export const ALL_WELL = { duplicates: [], strays: [], creditErrors: [], open: [], overlaps: [] };

/** Lists the problems in the figures of a run: an audit's findings and the results of the run's own checks. */
export function findProblems(figures: object): string[] {
  const lists = [...Object.keys(ALL_WELL), "lies", "silent", "problems"];
  return Object.entries(figures).flatMap(([name, value]) =>
    lists.includes(name) ? (value as string[]) : [],
  );
}
