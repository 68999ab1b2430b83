import { afterEach, expect, test } from "vitest";
import type { FaultRule } from "../../emulators/mail-provider/faults/fault-rule";
import { SESSION_SECRET } from "../../support/console/console-process";
import { setUpMailConsole, setUpPostgres } from "../../support/fixtures";
import { ALL_CANCEL_ROUTES, askToCancel, isStored } from "../../support/money/cancel-routes";
import { howMany } from "../../support/money/how-many";

/**
 * Provider answers to a cancel and to the status check after it, on both databases in this process. Recovery runs
 * only when a test calls it.
 */
const CANCEL = "letters/cancel";
const LOOK = "letters/get/.*";
const PIECES = howMany({ short: 8, long: 60 });

interface Told {
  success: boolean;
  pending?: boolean;
  error?: string | null;
  refund?: { creditsRefunded: number; newBalance: number } | null;
}

const postgres = await setUpPostgres();
let users = 0;

const variables = { SESSION_SECRET, STANNP_TIMEOUT_MS: "4000" };
const app = await setUpMailConsole(await postgres.createDatabase(), { variables });
afterEach(async () => {
  expect(await app.findErrors()).toEqual([]);
});

/** A letter (2 credits) of a person with 10. */
async function sent() {
  const userId = `answers-user-${++users}`;
  await app.grant(userId, 10);
  return { userId, ...(await app.mail(userId, "letter")) };
}
/** A letter whose cancel was not answered. */
async function unknown() {
  const piece = await sent();
  fail({ kind: "reset-before" });
  expect((await cancel(piece)).status).toBe(202);
  return piece;
}
type Piece = Awaited<ReturnType<typeof sent>>;
const cancel = ({ userId, mailItemId }: Piece) =>
  app.post<Told>("/api/mail/cancel", { userId, mailItemId, type: "letter" });
const fail = (rule: FaultRule, path = CANCEL) => app.provider.fail({ ...rule, path });
const move = ({ mailItemId }: Piece, status: Parameters<typeof app.provider.move>[1]) =>
  app.provider.move(Number(mailItemId), status);
/** One recovery attempt after the piece's lease expired, as if its process had died. */
async function lookAgain({ id }: Piece): Promise<void> {
  // Excludes the pieces of other tests, however long this takes.
  await app.sql`
    UPDATE sends SET lease_until = CASE WHEN id = ${id} THEN now() ELSE now() + interval '1 hour' END
    WHERE state = 'cancelling'`;
  // Storing its response locks the piece's row for a moment, and recovery skips a locked piece until its next
  // round.
  await expect.poll(app.recoverCancels).toBe(1);
}

async function lookAt({ id, userId, mailItemId }: Piece) {
  const send = await app.db((db) => db.send.findUniqueOrThrow({ where: { id } }));
  const item = await app.db((db) => db.mailItem.findUniqueOrThrow({ where: { id } }));
  const refunds = await app.db((db) =>
    db.creditTransaction.findMany({ where: { causeKey: id, cause: "refund" } }),
  );
  return {
    state: send.state,
    note: send.cancelNote,
    status: item.status,
    isCancelled: item.isCancelled,
    refunds: refunds.map(({ amount, userId: payer }) => [amount, payer]),
    balance: await app.balance(userId),
    atProvider: app.provider.pieces.find((piece) => String(piece.id) === mailItemId)?.status,
  };
}
const cancelled = ({ userId }: Piece) => ({
  state: "cancelled",
  note: null,
  status: "cancelled",
  isCancelled: true,
  refunds: [[2, userId]],
  balance: 10,
  atProvider: "cancelled",
});
const open = { state: "cancelling", isCancelled: false, refunds: [], balance: 8 };
const mail = { state: "accepted", isCancelled: false, refunds: [], balance: 8 };
const pending = {
  success: false,
  pending: true,
  refund: null,
  error: expect.stringMatching(/not known yet/),
};

test.each<[atProvider: string, rule: FaultRule]>([
  ["cancelled", { kind: "timeout", moment: "after" }],
  ["received", { kind: "reset-before" }],
  ["cancelled", { kind: "reset-after" }],
  ["cancelled", { kind: "error-after" }],
  ["received", { kind: "status", status: 503 }],
  ["cancelled", { kind: "unreadable" }],
  ["received", { kind: "respond", status: 409 }],
  ["received", { kind: "redirect", location: "/" }],
  ["received", { kind: "respond", body: "{}" }],
])("unknown (%s after %j): no refund until it is known, then one", async (atProvider, rule) => {
  const piece = await sent();
  fail(rule);
  expect(await cancel(piece)).toMatchObject({ status: 202, json: pending });
  expect(await lookAt(piece)).toMatchObject({ ...open, atProvider });
  await lookAgain(piece);
  expect(await lookAt(piece)).toEqual(cancelled(piece));
  expect((await cancel(piece)).json.refund).toEqual({ creditsRefunded: 0, newBalance: 10 });
});

test.each(["producing", "in_transit", "returned"] as const)(
  "unknown, then found %s: too late, still mail",
  async (status) => {
    const piece = await unknown();
    move(piece, status);
    await lookAgain(piece);
    const note = `The provider says ${status}: too late to cancel this letter. Nothing was refunded.`;
    expect(await lookAt(piece)).toEqual({ ...mail, status, atProvider: status, note });
  },
);

/** Faults of the status check, or of one more cancel request and the status check after it. */
const silent: FaultRule = { kind: "slow", delayMs: 0 };

test.each<[look: FaultRule, again?: FaultRule]>([
  [{ kind: "status", status: 503 }],
  [{ kind: "rate-limit", resetSeconds: 20 }],
  [{ kind: "respond", body: '{"success":true,"data":{"id":1,"status":"cancelled"}}' }],
  [{ kind: "respond", body: '{"success":true,"data":{"id":PIECE,"status":"teleported"}}' }],
  [{ kind: "refuse200", error: "cancelled" }],
  [
    { kind: "status", status: 503 },
    { kind: "status", status: 400 },
  ],
  [silent, { kind: "status", status: 401 }],
  [silent, { kind: "rate-limit", resetSeconds: 20 }],
])("unknown, and the status check answers %j (cancelled again: %j): stays open", async (look, again) => {
  const piece = await unknown();
  if (again) {
    fail(again);
    // The first status check finds the piece unchanged.
    fail(silent, LOOK);
  }
  const answered = fail(JSON.parse(JSON.stringify(look).replace("PIECE", piece.mailItemId)), LOOK);
  await lookAgain(piece);
  if (look !== silent) expect(answered.hits).toBe(1);
  expect(await lookAt(piece)).toMatchObject({ ...open, status: "received" });
  await lookAgain(piece);
  expect(await lookAt(piece)).toEqual(cancelled(piece));
});

test("refused because it was cancelled elsewhere, and the status check fails: open, then refunded", async () => {
  const piece = await sent();
  move(piece, "cancelled");
  fail({ kind: "status", status: 503 }, LOOK);
  const answer = await cancel(piece);
  expect(answer).toMatchObject({ status: 202, json: pending });
  expect(answer.json.error).toMatch(/^The provider did not cancel this letter, and could not say/);
  expect(await lookAt(piece)).toMatchObject(open);
  await lookAgain(piece);
  expect(await lookAt(piece)).toEqual(cancelled(piece));
});

test.each([
  ["done", "after", /^The provider cancelled this letter\. The database became unavailable/],
  ["refused", "before", /^Not cancelled: .*not known yet/],
] as const)("%s and not stored: the answer says so, and it is stored once", async (how, moment, error) => {
  const piece = await sent();
  const held = fail({ kind: "hold", moment });
  const answer = cancel(piece);
  await expect.poll(() => held.hits).toBe(1);
  if (how === "refused") move(piece, "delivered");
  await app.db(async (db) => {
    await db.$executeRaw`
      CREATE FUNCTION refuse_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not today'; END $$`;
    await db.$executeRaw`
      CREATE TRIGGER refuse_write BEFORE UPDATE ON sends FOR EACH STATEMENT EXECUTE FUNCTION refuse_write()`;
  });
  held.release();
  const open = { pending: true, refund: null, error: expect.stringMatching(error) };
  expect(await answer).toMatchObject({ status: 202, json: open });
  await app.sql`DROP FUNCTION refuse_write CASCADE`;
  await lookAgain(piece);
  expect(await lookAt(piece)).toMatchObject(
    how === "done" ? cancelled(piece) : { ...mail, status: "delivered" },
  );
});

test("a process that lost its claim cannot settle a cancel that another one has claimed", async () => {
  const piece = await sent();
  const held = fail({ kind: "hold" });
  const first = cancel(piece);
  await expect.poll(() => held.hits).toBe(1);
  move(piece, "producing");
  const look = fail({ kind: "hold" }, LOOK);
  const second = lookAgain(piece);
  await expect.poll(() => look.hits).toBe(1);
  held.release();
  expect(await first).toMatchObject({
    status: 409,
    json: { error: expect.stringMatching(/is being cancelled already/) },
  });
  expect(await lookAt(piece)).toMatchObject({ ...open, note: null });
  look.release();
  await second;
  expect(await lookAt(piece)).toMatchObject({ ...mail, status: "producing" });
});

test("a claimed cancel is left to its process until the lease expires", async () => {
  const piece = await sent();
  const held = fail({ kind: "hold" });
  const first = cancel(piece);
  await expect.poll(() => held.hits).toBe(1);
  expect(await app.recoverCancels()).toBe(0);
  expect(await cancel(piece)).toMatchObject({ status: 409 });
  held.release();
  expect((await first).json.refund).toEqual({ creditsRefunded: 2, newBalance: 10 });
});

test("parallel cancels through every route: one call and one refund for each piece", async () => {
  const pieces = [];
  for (let n = 0; n < PIECES; n++) pieces.push({ ...(await sent()), type: "letter" as const });
  for (const piece of pieces) await expect.poll(() => isStored(app.origin, piece)).toBe(true);
  const calls = () => app.provider.received.filter(({ path }) => path === CANCEL).length;
  const before = calls();
  const answers = await Promise.all(
    pieces.flatMap((piece, n) =>
      // Each of the first pieces is cancelled through one route, so that each route refunds, the others through all.
      ALL_CANCEL_ROUTES.map(async (other) => {
        const route = ALL_CANCEL_ROUTES[n] ?? other;
        return { route, ...(await askToCancel(app.origin, route, piece)) };
      }),
    ),
  );
  // A later request finds it being cancelled (409) or already cancelled (200). The tab's form redirects (303).
  expect(answers.filter(({ status }) => ![200, 303, 409].includes(status ?? 0))).toEqual([]);
  const refunding = answers.filter(({ refunded }) => refunded === 2);
  expect(refunding).toHaveLength(PIECES);
  expect(new Set(refunding.map(({ route }) => route))).toEqual(new Set(ALL_CANCEL_ROUTES));
  const others = answers.filter(({ refunded }) => refunded !== 2);
  expect(others.filter(({ refunded, error }) => refunded !== 0 && !error?.includes("already"))).toEqual([]);
  expect(calls() - before).toBe(PIECES);
  for (const piece of pieces) expect(await lookAt(piece)).toEqual(cancelled(piece));
});

test("two processes that both see it cancelled: one refund, reported once", async () => {
  const piece = await sent();
  const held = fail({ kind: "hold", moment: "after" });
  const first = cancel(piece);
  await expect.poll(() => held.hits).toBe(1);
  await lookAgain(piece);
  expect(await lookAt(piece)).toEqual(cancelled(piece));
  held.release();
  expect((await first).json).toMatchObject({
    success: true,
    refund: { creditsRefunded: 0, newBalance: 10 },
  });
  expect(await lookAt(piece)).toEqual(cancelled(piece));
});

test("after a day: still mail with a note, and another cancel refunds it", async () => {
  const piece = await unknown();
  await app.sql`
    UPDATE sends SET cancel_asked_at = now() - interval '24 hours 1 minute' WHERE id = ${piece.id}`;
  fail({ kind: "status", status: 503 }, LOOK);
  await lookAgain(piece);
  expect(await lookAt(piece)).toMatchObject({
    ...mail,
    note: expect.stringMatching(/^The provider could not be asked within a day.*stays charged/),
  });
  expect((await cancel(piece)).json.refund).toEqual({ creditsRefunded: 2, newBalance: 10 });
  expect(await lookAt(piece)).toEqual(cancelled(piece));
});
