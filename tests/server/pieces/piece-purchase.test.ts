import { expect, test } from "vitest";
import { formatDate } from "~/ui/moment";
import { RECIPIENT } from "../../support/console/mail-console";
import { newEmbedded } from "../../support/database/embedded";
import { setUpMailConsole } from "../../support/fixtures";

/** The money on a piece's page: the hold, and the purchases that paid for it, oldest first. */

const app = await setUpMailConsole(newEmbedded());

const today = () => formatDate(new Date());

async function paidWith(sendId: string): Promise<string[]> {
  const { loadPieceDetails } = await import("~/pieces/page/load-details.server");
  const details = await loadPieceDetails(sendId, new Date());
  return details.ok ? details.value.purchases.map(({ text }) => text) : [details.failure.message];
}

test("the oldest remaining credits pay, then the next ones, and refunded ones last", async () => {
  await app.grant("payer", 2);
  await app.grant("payer", 4);
  await app.grant("someone else", 9);
  const first = await app.mail("payer");
  const second = await app.mail("payer");
  const third = await app.mail("payer", "letter");
  const oldest = `1 credit of 2 added by hand on ${today()}`;
  const next = (credits: string) => `${credits} of 4 added by hand on ${today()}`;
  expect(await paidWith(first.id)).toEqual([oldest]);
  expect(await paidWith(second.id)).toEqual([oldest]);
  expect(await paidWith(third.id)).toEqual([next("2 credits")]);

  await app.post("/api/mail/cancel", { userId: "payer", mailItemId: first.mailItemId, type: "postcard" });
  const fourth = await app.mail("payer");
  const fifth = await app.mail("payer", "letter");
  expect(await paidWith(fourth.id)).toEqual([next("1 credit")]);
  // Uses the queue's last credit and the refunded one: each is traced to its first source.
  const again = `${oldest} (refunded on ${today()} and spent again)`;
  expect(await paidWith(fifth.id)).toEqual([next("1 credit"), again]);
  await app.post("/api/mail/cancel", { userId: "payer", mailItemId: fifth.mailItemId, type: "letter" });
  const sixth = await app.mail("payer");
  const seventh = await app.mail("payer");
  expect(await paidWith(sixth.id)).toEqual([`${next("1 credit")} (refunded on ${today()} and spent again)`]);
  expect(await paidWith(seventh.id)).toEqual([again]);
  expect(await paidWith(first.id)).toEqual([oldest]);
  expect(await app.balance("payer")).toBe(0);

  const { listUses } = await import("~/credits/ledger/paid-with.server");
  const uses = await app.db(async (db) => {
    const [row] = await db.$queryRaw<{ id: bigint }[]>`
      SELECT id FROM credit_transactions WHERE user_id = 'payer' AND amount = 4 AND transaction_type = 'credit'`;
    return listUses(db, row?.id ?? 0n);
  });
  expect(uses.map(({ pieceId, credits, refunded }) => [pieceId, credits, refunded])).toEqual([
    [third.id, 2, false],
    [fourth.id, 1, false],
    [fifth.id, 1, true],
  ]);
});

test("a test that was mailed: nothing was held for it, and the available credits are charged", async () => {
  const { loadPieceDetails } = await import("~/pieces/page/load-details.server");
  const moneyOf = async (userId: string, credits: number) => {
    if (credits > 0) await app.grant(userId, credits);
    app.provider.fail({ kind: "answer-live", path: "postcards/create" });
    const body = { size: "4x6", template: "21001", recipient: RECIPIENT, test: true };
    const { json } = await app.proxy({ path: "postcards/create", body, user_id: userId });
    const details = await loadPieceDetails(json.send_id ?? "", new Date());
    if (!details.ok) throw new Error(details.failure.message);
    return details.value.money.map(({ what, change }) => [what, change]);
  };
  expect(await moneyOf("tester", 3)).toEqual([["Charge", "−1"]]);
  expect(await moneyOf("auth-ana", 0)).toEqual([]);
  const { id } = await app.mail("tester");
  const details = await loadPieceDetails(id, new Date());
  expect(details.ok && details.value.money.map(({ what }) => what)).toEqual([
    "1 credit reserved, then charged",
    "Charge",
  ]);
});
