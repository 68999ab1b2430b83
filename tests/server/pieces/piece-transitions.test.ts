import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { verifyLedger } from "~/credits/ledger/verify-ledger.server";
import {
  claimDueCancels,
  confirmCancel,
  dropCancel,
  postponeCancel,
  startCancel,
} from "~/pieces/cancel/cancel-transitions.server";
import { listPieceEvents } from "~/pieces/piece-events.server";
import type { NewSend } from "~/pieces/send/piece-order.server";
import { askForReview, claimDueSends, giveUpSend } from "~/pieces/send/retry-transitions.server";
import { findSend } from "~/pieces/send/send-record.server";
import {
  acceptSend,
  beginSend,
  decideNotMailed,
  disproveRelease,
  freeKey,
  postponeSend,
  recordUnexpectedSend,
  refuseSend,
  reserveSend,
} from "~/pieces/send/send-transitions.server";
import {
  findReleaseRule,
  type PieceState,
  type ReleaseCause,
  TRANSITIONS,
  type Transition,
} from "~/pieces/states";
import type { PrismaClient } from "../../../prisma/client/client";
import { newEmbedded } from "../../support/database/embedded";
import { setUpDatabase, setUpPostgres } from "../../support/fixtures";

const postgres = await setUpPostgres();

const BASE = "https://api.example.com/v1";
const PAYER = "user-1";
const ANSWER = { status: 200, headers: {}, text: '{"success":true,"data":{"id":7}}', durationMs: 5 };
const TERMS = { leaseMs: 60_000, limit: 100, from: { kind: "base", baseUrl: BASE, keys: [] } } as const;
const BY = { actorId: PAYER, reason: "not wanted", source: "cancel", reportedAt: null } as const;

function newSend(id: string): NewSend {
  return {
    id,
    userId: PAYER,
    actorId: PAYER,
    via: null,
    idempotencyKey: `key-${id}`,
    reservation: `reservation-${id}`,
    requestHash: "hash",
    mailType: "letter",
    cost: 2,
    method: "POST",
    path: "letters/create",
    url: `${BASE}/letters/create`,
    requestHeaders: "{}",
    requestBody: "",
    addressCheck: null,
    testedPieceId: null,
    leaseMs: 60_000,
    addressee: { recipientId: null, name: "Ana Lopez", email: null, place: null, key: id, searchText: "" },
    unsavedRequest: null,
    pieceHash: null,
    creditReservationId: null,
  };
}

/** The single statement of each transition; the compiler requires every one of them. */
const STATEMENTS: Record<Transition, (db: PrismaClient, id: string) => Promise<unknown>> = {
  reserve: (db, id) => reserveSend(db, newSend(id)),
  begin: (db, id) => beginSend(db, { id, reservation: `reservation-${id}` }, 60_000),
  accept: (db, id) => acceptSend(db, id, "7", ANSWER),
  recordUnexpected: (db, id) => recordUnexpectedSend(db, newSend(id), "7", ANSWER, "mailed all the same"),
  refuse: async (db, id) =>
    refuseSend(db, { id, attempts: await countCalls(db, id) }, "no", null, "unreachable"),
  decideNotMailed: (db, id) => decideNotMailed(db, id, PAYER, "it was not"),
  postpone: async (db, id) => postponeSend(db, { id, attempts: await countCalls(db, id) }, 30, "no answer"),
  giveUp: async (db, id) => giveUpSend(db, id, PAYER, "not wanted any more"),
  askForReview: (db, id) => askForReview(db, id, "outcome unknown"),
  startCancel: (db, id) => startCancel(db, id, { ...BY, leaseMs: 60_000 }),
  confirmCancel: (db, id) => confirmCancel(db, id, BY),
  dropCancel: (db, id) => dropCancel(db, { id, attempts: 1 }, "too late"),
};

/** Statements that change a piece but not its state. */
const KEEP_THE_STATE: Record<string, (db: PrismaClient, id: string) => Promise<unknown>> = {
  claimDueSends: (db) => claimDueSends(db, TERMS),
  claimDueCancels: (db) => claimDueCancels(db, TERMS),
  postponeCancel: (db, id) => postponeCancel(db, { id, attempts: 1 }, 30, "not known"),
};

/** Transitions that lead to each state. */
const WAYS: Record<PieceState, Transition[]> = {
  reserved: ["reserve"],
  sending: ["reserve", "begin"],
  unknown: ["reserve", "begin", "postpone"],
  needs_review: ["reserve", "begin", "askForReview"],
  accepted: ["reserve", "begin", "accept"],
  refused: ["reserve", "refuse"],
  cancelling: ["reserve", "begin", "accept", "startCancel"],
  cancelled: ["reserve", "begin", "accept", "startCancel", "confirmCancel"],
};
const STATES = Object.keys(WAYS) as PieceState[];
const NAMES = Object.keys(TRANSITIONS) as Transition[];

async function countCalls(db: PrismaClient, id: string): Promise<number> {
  return (await findSend(db, id))?.attempts ?? -1;
}

describe.each([
  ["PostgreSQL", await postgres.createDatabase()],
  ["embedded", newEmbedded()],
])("transitions of a piece on %s", (_kind, url) => {
  let made = 0;
  const run = setUpDatabase(url);
  /** A piece in this state, whose lease has expired if `due`. */
  const make = async (db: PrismaClient, state: PieceState, due = false) => {
    const id = `piece-${++made}`;
    for (const step of WAYS[state]) await STATEMENTS[step](db, id);
    expect((await findSend(db, id))?.state).toBe(state);
    if (due) await db.send.update({ where: { id }, data: { leaseUntil: new Date(0) } });
    return id;
  };

  beforeAll(async () => {
    await run(async (db) => {
      await db.user.create({ data: { id: PAYER, displayName: "One", username: "one" } });
      await db.creditAccount.create({ data: { userId: PAYER, balance: 1_000 } });
      await db.creditTransaction.create({
        data: {
          userId: PAYER,
          transactionType: "credit",
          amount: 1_000,
          balanceBefore: 0,
          balanceAfter: 1_000,
          description: "to begin with",
          actorId: PAYER,
          cause: "adjustment",
          causeKey: "first",
          hash: "",
        },
      });
    });
  });

  describe.each(NAMES)("%s", (name) => {
    const { from, to }: { from: readonly PieceState[]; to: PieceState } = TRANSITIONS[name];

    test.each(STATES)("on a piece that is %s", async (state) => {
      await run(async (db) => {
        const id = await make(db, state);
        // A transition that creates a piece fails on a taken id, or finds its key used.
        await STATEMENTS[name](db, id).catch(() => null);
        const moves = from.includes(state);
        expect((await findSend(db, id))?.state).toBe(moves ? to : state);
        const history = (await listPieceEvents(db, id)).map(({ kind }) => kind);
        const steps = moves ? [...WAYS[state], name] : WAYS[state];
        expect(history.filter((kind) => kind !== "alarm")).toEqual(steps);
      });
    });
  });

  test.each(NAMES.filter((name) => TRANSITIONS[name].from.length === 0))(
    "%s creates a piece",
    async (name) => {
      await run(async (db) => {
        const id = `piece-${++made}`;
        await STATEMENTS[name](db, id);
        expect((await findSend(db, id))?.state).toBe(TRANSITIONS[name].to);
        expect(await listPieceEvents(db, id)).toMatchObject([{ kind: name, credits: 2 }]);
      });
    },
  );

  test("a state that an earlier version writes gets its current name", async () => {
    await run(async (db) => {
      const [reserved, sending] = [await make(db, "reserved"), await make(db, "sending")];
      await db.send.updateMany({ where: { id: { in: [reserved, sending] } }, data: { state: "held" } });
      const found = [await findSend(db, reserved), await findSend(db, sending)];
      expect(found.map((send) => send?.state)).toEqual(["reserved", "sending"]);
    });
  });

  test("the first call of another reservation does not begin, refuse or postpone a piece", async () => {
    await run(async (db) => {
      const [reserved, sending] = [await make(db, "reserved"), await make(db, "sending")];
      const lost = { reservation: "lost in a failover", attempts: 1 };
      expect(await beginSend(db, { id: reserved, ...lost }, 60_000)).toBe(false);
      expect(await refuseSend(db, { id: sending, ...lost }, "no", null, "unreachable")).toBeNull();
      await postponeSend(db, { id: sending, ...lost }, 30, "no answer");
      expect((await findSend(db, reserved))?.state).toBe("reserved");
      expect((await findSend(db, sending))?.state).toBe("sending");
    });
  });

  test.each<[ReleaseCause, boolean]>([
    ["refused", false],
    ["rate_limited", true],
    ["never_called", true],
    ["unreachable", true],
    ["sample", false],
    ["not_listed", false],
    ["given_up", false],
    ["decided", false],
  ])("a release that is %s is stored, and frees the key only without an effect: %s", async (cause, free) => {
    await run(async (db) => {
      const id = await make(
        db,
        cause === "given_up" ? "unknown" : cause === "decided" ? "needs_review" : "sending",
      );
      if (cause === "given_up") await giveUpSend(db, id, PAYER, "not wanted any more");
      if (cause === "decided") await decideNotMailed(db, id, PAYER, "it was not");
      else await refuseSend(db, { id, attempts: 1 }, "no", null, cause === "given_up" ? "refused" : cause);
      expect((await findSend(db, id))?.releaseCause).toBe(cause);
      expect(findReleaseRule(cause).keyIsFree).toBe(free);
      const keyOf = async () => (await db.send.findUniqueOrThrow({ where: { id } })).idempotencyKey;
      // Two processes that free it at once count as one, because the next piece's id follows from it.
      for (let times = 0; times < 2; times++) await freeKey(db, { id, idempotencyKey: `key-${id}` });
      expect(await keyOf()).toBe(free ? `key-${id} ${id}` : `key-${id}`);
    });
  });

  test("a released piece that was mailed after all does not free its key", async () => {
    await run(async (db) => {
      const id = await make(db, "sending");
      await refuseSend(db, { id, attempts: 1 }, "no", null, "unreachable");
      await disproveRelease(db, id);
      await freeKey(db, { id, idempotencyKey: `key-${id}` });
      expect((await db.send.findUniqueOrThrow({ where: { id } })).idempotencyKey).toBe(`key-${id}`);
    });
  });

  test("its history has each answer and cannot be changed", async () => {
    await run(async (db) => {
      const id = await make(db, "sending");
      const first = { status: 500, headers: { "x-from": "edge" }, text: "out of order", durationMs: 9 };
      await postponeSend(db, { id, attempts: 1 }, 30, "status 500", first);
      await acceptSend(db, id, "7", ANSWER);
      expect(await listPieceEvents(db, id)).toMatchObject([
        { kind: "reserve", actorId: PAYER, source: "send", credits: 2 },
        { kind: "begin", actorId: PAYER },
        { kind: "postpone", actorId: "provider", note: "status 500", durationMs: 9 },
        { kind: "accept", actorId: "provider", providerId: "7", credits: 2 },
      ]);
      const [kept] = await db.pieceEvent.findMany({ where: { pieceId: id, kind: "postpone" } });
      expect(kept).toMatchObject({
        answerStatus: 500,
        answerText: "out of order",
        answerHeaders: '{"x-from":"edge"}',
      });
      for (const change of [
        () => db.pieceEvent.updateMany({ where: { pieceId: id }, data: { note: "" } }),
        () => db.pieceEvent.deleteMany({ where: { pieceId: id } }),
      ]) {
        await expect(change()).rejects.toThrow();
      }
    });
  });

  test("a piece that needs a decision opens one alarm, which its history has", async () => {
    await run(async (db) => {
      const id = await make(db, "needs_review");
      await askForReview(db, id, "outcome unknown");
      expect(await db.alarm.findMany({ where: { subjectId: id } })).toMatchObject([
        { kind: "piece_needs_decision", subjectType: "piece", times: 1, closedAt: null },
      ]);
      expect((await listPieceEvents(db, id)).at(-1)).toMatchObject({
        kind: "alarm",
        note: "outcome unknown",
      });
    });
  });

  test.each(Object.entries(KEEP_THE_STATE))("%s changes no state", async (_, statement) => {
    await run(async (db) => {
      for (const state of STATES) {
        const id = await make(db, state, true);
        await statement(db, id);
        expect((await findSend(db, id))?.state).toBe(state);
      }
    });
  });

  test("the books agree after all transitions", async () => {
    const findings = await run(verifyLedger);
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  });
});

/** Finds all SQL in a folder that writes the table `sends`, one entry per statement or part. */
function listWrites(): string[] {
  const files = readdirSync("app/pieces", { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".ts"),
  );
  return files.flatMap((path) =>
    readFileSync(`app/pieces/${path}`, "utf8")
      .split(/(?=UPDATE sends\b|INSERT INTO sends\b)/)
      .slice(1)
      .map((text) => text.slice(0, text.search(/`|\bRETURNING\b/))),
  );
}

describe("the SQL of a transition", () => {
  const writes = listWrites();

  test("takes both of its states from the table of transitions", () => {
    expect(writes.length).toBeGreaterThan(10);
    for (const sql of writes) {
      expect(sql.split(/\bWHERE\b/)[0]).not.toMatch(/\bstate\s*=/);
      const sets = [...sql.matchAll(/\$\{setStateAfter\("?(\w+)"?\)\}/g)].map(([, name]) => name);
      const wheres = [...sql.matchAll(/\$\{isStateBefore\("?(\w+)"?\)\}/g)].map(([, name]) => name);
      expect(sets).toEqual(wheres);
      expect(sets.length).toBeLessThan(2);
    }
  });

  test("is written once for each of them", () => {
    const sources = [
      "app/pieces/send/send-transitions.server.ts",
      "app/pieces/send/retry-transitions.server.ts",
      "app/pieces/cancel/cancel-transitions.server.ts",
    ]
      .map((path) => readFileSync(path, "utf8"))
      .join("\n");
    for (const name of NAMES) {
      const uses = sources.match(new RegExp(`(?:setStateAfter|stateAfter|markRefused)\\(\\s*"${name}"`, "g"));
      expect([name, uses?.length]).toEqual([name, 1]);
    }
  });
});
