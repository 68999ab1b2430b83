import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MailConsole, RECIPIENT, startMailConsole } from "../../support/console/mail-console";
import { newEmbedded } from "../../support/database/embedded";
import { type Postgres, startPostgres } from "../../support/database/postgres";

/** What the story of a send says of its money: what was held, and which credits paid it, the oldest first. */

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.close());

describe.each(["PostgreSQL", "PGlite"])("on %s", (kind) => {
  let app: MailConsole;
  beforeAll(async () => {
    app = await startMailConsole(kind === "PGlite" ? newEmbedded() : await postgres.createDatabase());
  });
  afterAll(() => app?.close());

  const today = () => new Date().toISOString().slice(0, 10);
  async function paidWith(sendId: string): Promise<string | null> {
    const { findPurchase } = await import("~/story/purchase.server");
    return app.db((db) => findPurchase(db, sendId));
  }

  test("the oldest credits that are left pay, then the next ones, and what was refunded last", async () => {
    await app.grant("payer", 2);
    await app.grant("payer", 5);
    await app.grant("somebody else", 9);
    const first = await app.mail("payer");
    const second = await app.mail("payer");
    const third = await app.mail("payer", "letter");
    expect(await paidWith(first.id)).toBe(`2 credits added by hand on ${today()}`);
    expect(await paidWith(second.id)).toBe(`2 credits added by hand on ${today()}`);
    expect(await paidWith(third.id)).toBe(`5 credits added by hand on ${today()}`);

    await app.post("/api/mail/cancel", { userId: "payer", mailItemId: first.mailItemId, type: "postcard" });
    const fourth = await app.mail("payer", "letter");
    const fifth = await app.mail("payer");
    const sixth = await app.mail("payer");
    expect(await paidWith(fourth.id)).toBe(`5 credits added by hand on ${today()}`);
    expect(await paidWith(fifth.id)).toBe(`5 credits added by hand on ${today()}`);
    expect(await paidWith(sixth.id)).toBe(`credits refunded on ${today()}`);
    expect(await paidWith(first.id)).toBe(`2 credits added by hand on ${today()}`);
    expect(await app.balance("payer")).toBe(0);
  });

  test("a test that was mailed all the same: nothing was held for it, and what there was is charged", async () => {
    const { loadStory } = await import("~/story/load-story.server");
    const moneyOf = async (userId: string, credits: number) => {
      if (credits > 0) await app.grant(userId, credits);
      app.provider.fail({ kind: "answer-live", path: "postcards/create" });
      const body = { size: "4x6", template: "21001", recipient: RECIPIENT, test: true };
      const { json } = await app.proxy({ path: "postcards/create", body, user_id: userId });
      const story = await loadStory(json.send_id ?? "", new Date());
      if (!story.ok) throw new Error(story.failure.message);
      return story.value.money.map(({ what, change }) => [what, change]);
    };
    expect(await moneyOf("tester", 3)).toEqual([["Charge", "−1"]]);
    expect(await moneyOf("auth-ana", 0)).toEqual([]);
    const { id } = await app.mail("tester");
    const asked = await loadStory(id, new Date());
    expect(asked.ok && asked.value.money.map(({ what }) => what)).toEqual([
      "1 credit reserved, then charged",
      "Charge",
    ]);
  });

  test("what is not charged was paid with nothing", async () => {
    expect(await paidWith("0123456789abcdef")).toBeNull();
  });
});
