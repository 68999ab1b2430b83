import { describe, expect, test } from "vitest";
import { compare } from "~/reconciliation/compare";
import { choosePeriod, parsePeriod } from "~/reconciliation/reconcile.server";
import { type FindingKind, GROUPS, type Listed, type OurPiece } from "~/reconciliation/reconciliation";

const US = "https://us.example/v1";
const EU = "https://eu.example/v1";
const PERIOD = { from: "2026-11-01", to: "2026-11-21" };
const NOW = new Date("2026-11-21T18:00:00Z");
const BOTH = new Set([US, EU]);

const ours: OurPiece = {
  ...{
    id: "a1b2c3d4e5f6",
    payer: "Ana",
    type: "postcard",
    baseUrl: US,
    providerId: "501",
    state: "accepted",
  },
  ...{ cost: 1, paid: 1, providerCost: 0.99, status: "received", isMoving: false },
  createdAt: new Date("2026-11-10T12:00:00Z"),
};
const send = (change: Partial<OurPiece> = {}): OurPiece => ({ ...ours, ...change });

const theirs: Listed = {
  ...{ id: "501", type: "postcard", status: "received", cost: 0.99, tags: "spring,mailroom-a1b2c3d4e5f6" },
  ...{ createdAt: new Date("2026-11-10T12:00:01Z"), baseUrls: [US] },
};
const piece = (change: Partial<Listed> = {}): Listed => ({ ...theirs, ...change });

function look(ours: OurPiece[], pieces: Listed[], seen = BOTH) {
  return compare(ours, pieces, seen, PERIOD, NOW);
}

const NOTHING = { agreed: 0, findings: [], behind: [], foreign: [], moving: 0, unseen: 0 };

test("both sides are totalled, including missing and duplicate pieces", () => {
  const missing = send({ id: "b1b2c3d4e5f6", providerId: "502", type: "letter", cost: 2, paid: 2 });
  const { totals } = look([send(), missing], [piece(), piece({ id: "503", cost: 1.01 })]);
  expect(totals.ours).toEqual({ pieces: 2, credits: 3, cost: 1.98 });
  expect(totals.theirs).toEqual({ pieces: 2, credits: 2, cost: 2 });
});

describe("agreement", () => {
  test("a charged send and its piece", () => {
    expect(look([send()], [piece()])).toMatchObject({ ...NOTHING, agreed: 1 });
  });

  test.each([
    ["nothing at all", [], []],
    [
      "cancelled and refunded here, cancelled there",
      [send({ state: "cancelled", paid: 0, status: "cancelled" })],
      [piece({ status: "cancelled", cost: 0 })],
    ],
    ["cancelled and refunded here, not listed any more", [send({ state: "cancelled", paid: 0 })], []],
    [
      "not mailed here, not listed there",
      [send({ state: "refused", paid: 0, providerId: null, status: null })],
      [],
    ],
    [
      "needs a decision here, not listed there",
      [send({ state: "needs_review", paid: 0, providerId: null })],
      [],
    ],
    ["a sample", [], [piece({ id: "0", status: "test" })]],
    ["an unknown piece that was stopped", [], [piece({ status: "cancelled", tags: "mailroom-0000000000" })]],
    [
      "the other vocabulary of the same state",
      [send({ status: "producing" })],
      [piece({ status: "printing" })],
    ],
    ["a price that the provider never told", [send({ providerCost: null })], [piece()]],
  ])("%s", (_what, ours, pieces) => {
    expect(look(ours, pieces)).toMatchObject({ findings: [], behind: [], foreign: [] });
  });

  test("a piece that a retry mailed on the day after the period", () => {
    const late = send({ createdAt: new Date("2026-11-21T23:50:00Z") });
    const there = piece({ createdAt: new Date("2026-11-22T10:00:00Z") });
    expect(look([late], [there])).toMatchObject({ ...NOTHING, agreed: 1 });
  });

  test("pieces outside the period are not compared", () => {
    const earlier = send({ createdAt: new Date("2026-10-31T23:59:59Z"), paid: 0 });
    const there = piece({ createdAt: new Date("2026-10-31T23:59:59Z") });
    const foreign = piece({ id: "77", tags: "", createdAt: new Date("2026-10-31T10:00:00Z") });
    const lost = "mailroom-000000000";
    const unknown = piece({ id: "78", tags: lost, createdAt: new Date("2026-11-22T00:00:01Z") });
    expect(look([earlier], [there, foreign, unknown])).toMatchObject(NOTHING);
  });

  test("a piece without a tag, by its id in its account only", () => {
    expect(look([send()], [piece({ tags: "" })])).toMatchObject({ ...NOTHING, agreed: 1 });
    const elsewhere = piece({ tags: "", baseUrls: [EU] });
    expect(look([send()], [elsewhere]).foreign).toEqual([elsewhere]);
    expect(look([send()], [piece({ tags: "", baseUrls: [EU, US] })]).agreed).toBe(1);
  });

  test("pieces being sent or cancelled, and those that changed during the comparison, are left for later", () => {
    const states = (["reserved", "sending", "unknown", "cancelling"] as const).map((state) =>
      send({ state, id: `${state}00000000`, paid: 0 }),
    );
    expect(look([...states, send({ isMoving: true })], [])).toMatchObject({ ...NOTHING, moving: 5 });
  });
});

describe("findings", () => {
  test.each<[kind: FindingKind, group: number, ours: OurPiece[], pieces: Listed[]]>([
    ["missing", 0, [send({ type: "letter", cost: 2, paid: 2 })], []],
    ["missing", 0, [send({ createdAt: new Date("2026-11-21T09:00:00Z") })], []],
    ["unknown", 1, [], [piece()]],
    ["released", 1, [send({ state: "refused", paid: 0 })], [piece()]],
    ["undecided", 1, [send({ state: "needs_review", paid: 0 })], [piece()]],
    ["twice", 1, [send()], [piece(), piece({ id: "502" })]],
    ["stopped", 2, [send()], [piece({ status: "cancelled", cost: 0 })]],
    [
      "refunded",
      2,
      [send({ state: "cancelled", paid: 0, status: "cancelled" })],
      [piece({ status: "producing" })],
    ],
    ["short", 2, [send({ type: "letter", cost: 2, paid: 1 })], [piece({ type: "letter" })]],
    ["type", 2, [send()], [piece({ type: "letter" })]],
    ["price", 2, [send()], [piece({ cost: 1.2 })]],
  ])("%s (section %i)", (kind, group, ours, pieces) => {
    const { findings, agreed, foreign } = look(ours, pieces);
    expect(findings).toMatchObject([{ kind }]);
    expect(GROUPS.findIndex(({ kinds }) => kinds.includes(kind))).toBe(group);
    expect([agreed, foreign]).toEqual([0, []]);
  });

  test("name our piece if it is known, and the provider's id", () => {
    const missing = { send: { id: "a1b2c3d4e5f6", payer: "Ana" }, mailId: "501" };
    expect(look([send()], []).findings[0]).toMatchObject(missing);
    expect(look([], [piece()]).findings[0]).toMatchObject({ send: null, mailId: "501" });
  });

  test("a send of the period whose piece has another date at the provider is found by its tag", () => {
    const there = piece({ status: "cancelled", createdAt: new Date("2026-10-30T12:00:00Z") });
    expect(look([send()], [there]).findings).toMatchObject([{ kind: "stopped" }]);
  });

  test("a piece that could not be queried is not reported as missing", () => {
    expect(look([send()], [], new Set([EU]))).toMatchObject({ ...NOTHING, unseen: 1 });
    expect(look([send()], [piece()], new Set())).toMatchObject({ ...NOTHING, agreed: 1 });
  });
});

test("a status that is behind the provider's is not a difference of money", () => {
  const { agreed, findings, behind } = look([send()], [piece({ status: "handed_over" })]);
  expect([agreed, findings]).toEqual([1, []]);
  expect(behind).toMatchObject([{ mailId: "501", here: "received", there: "handed_over" }]);
  expect(look([send({ status: "delivered" })], [piece()]).behind).toEqual([]);
});

describe("the period", () => {
  test("is the last 30 days by default", () => {
    expect(choosePeriod(NOW)).toEqual({ from: "2026-10-23", to: "2026-11-21" });
    expect(parsePeriod({ from: "", to: undefined }, NOW)).toEqual({ ok: true, value: choosePeriod(NOW) });
    expect(parsePeriod({ from: "2026-11-20", to: "2026-11-20" }, NOW)).toMatchObject({ ok: true });
  });

  test.each([
    [{ from: "yesterday" }, /from must be a date/],
    [{ to: "2026-02-30" }, /to must be a date/],
    [{ from: "2026-11-21", to: "2026-11-20" }, /from is after to/],
    [{ from: "2026-08-01", to: "2026-11-21" }, /113 days are more than 92/],
    [{ from: "0001-01-01", to: "0001-01-02" }, /from must be between 1970 and 9998/],
  ])("%o is refused", (input, words) => {
    expect(parsePeriod(input, NOW)).toMatchObject({
      ok: false,
      failure: { code: "bad_input", message: expect.stringMatching(words) },
    });
  });
});
