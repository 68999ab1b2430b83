import type { MoneyBench } from "./bench";
import type { MailRequest } from "./calls";

export const NOTHING_DONE = "Nothing was sent and nothing was charged.";
/** The path in a fault rule. */
export const CREATE_PATH = "(postcards|letters)/create";

/** An order with its own payer. */
export type LoneOrder = MailRequest & { payer: string; key: string };

/** The result of one payer's sends; `pieces` are the live ones at the provider. */
export interface Look {
  balance: number;
  held: number;
  states: string[];
  debits: number[];
  pieces: number;
}

/** Outcomes of a letter (2 credits) for a person with 10. */
export const UNTOUCHED: Look = { balance: 10, held: 0, states: [], debits: [], pieces: 0 };
export const MAILED: Look = { balance: 8, held: 0, states: ["accepted"], debits: [2], pieces: 1 };
export const REFUSED: Look = { balance: 10, held: 0, states: ["refused"], debits: [], pieces: 0 };
export const HELD = { balance: 10, held: 2, debits: [] };

let orders = 0;

/** A letter for a new payer, who has 10 credits by default. */
export async function newOrder(
  bench: MoneyBench,
  changes: Partial<MailRequest> = {},
  credits = 10,
): Promise<LoneOrder> {
  const number = ++orders;
  const order = {
    type: "letter" as const,
    payer: `payer-${number}`,
    key: `lone-order-${number}`,
    ...changes,
  };
  await bench.grant(order.payer, credits);
  return order;
}

/** The payer's sends, oldest first. */
export function sendsOf(bench: MoneyBench, { payer }: LoneOrder) {
  return bench.inBooks((db) => db.send.findMany({ where: { userId: payer }, orderBy: { createdAt: "asc" } }));
}

/** Ledger entries of the payer's sends, oldest first. */
export function ledgerOf(bench: MoneyBench, { payer }: LoneOrder) {
  return bench.inBooks((db) =>
    db.creditTransaction.findMany({
      where: { userId: payer, cause: { not: "adjustment" } },
      orderBy: { id: "asc" },
    }),
  );
}

/** The provider's calls for the payer's sends, in order of arrival. */
export async function callsOf(bench: MoneyBench, order: LoneOrder) {
  const ids = (await sendsOf(bench, order)).map(({ id }) => id);
  return bench.provider.received.filter(({ headers }) => ids.includes(headers["x-idempotency-key"] ?? ""));
}

export async function lookAt(bench: MoneyBench, order: LoneOrder): Promise<Look> {
  const { balance, held } = await bench.loadAccount(order.payer);
  const sends = await sendsOf(bench, order);
  const ids = sends.map(({ id }) => id);
  return {
    balance,
    held,
    states: sends.map(({ state }) => state),
    debits: (await ledgerOf(bench, order)).map(({ amount }) => amount),
    pieces: bench.provider.pieces.filter(
      ({ test, idempotencyKey }) => !test && ids.includes(idempotencyKey ?? ""),
    ).length,
  };
}

/** Moves these sends the given number of hours into the past and makes them due. */
export async function makeOlder(bench: MoneyBench, orders: LoneOrder[], hours: number): Promise<void> {
  const payers = orders.map(({ payer }) => payer);
  await bench.inBooks(
    (db) => db.$executeRaw`
      UPDATE sends SET created_at = now() - ${hours}::float8 * interval '1 hour', lease_until = now(),
        called_at = called_at - ${hours}::float8 * interval '1 hour'
      WHERE user_id = ANY(${payers}) AND state = 'unknown'`,
  );
}
