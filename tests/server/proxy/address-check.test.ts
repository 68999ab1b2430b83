import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MailConsole, RECIPIENT, startMailConsole } from "../../support/console/mail-console";
import { type Postgres, startPostgres } from "../../support/database/postgres";

describe("the address check of a live send", () => {
  let postgres: Postgres;
  let app: MailConsole;
  beforeAll(async () => {
    postgres = await startPostgres();
    app = await startMailConsole(await postgres.createDatabase());
    await app.grant("payer", 20);
  });
  afterAll(async () => {
    await app?.close();
    await postgres?.close();
  });

  const send = (address_check?: unknown) =>
    app.proxy({
      path: "postcards/create",
      user_id: "payer",
      body: { size: "4x6", template: "21001", recipient: RECIPIENT },
      ...(address_check === undefined ? {} : { address_check }),
    });
  async function readKept(id: string | undefined) {
    const { addressCheck } = await app.db((db) => db.send.findUniqueOrThrow({ where: { id: id ?? "" } }));
    const { loadPieceDetails } = await import("~/pieces/page/load-details.server");
    const story = await loadPieceDetails(id ?? "", new Date());
    const events = story.ok ? story.value.events : [];
    return { addressCheck, events, lines: events.filter(({ text }) => text.startsWith("Address")) };
  }

  test("an address sent against its verdict is recorded, and is the first line of the history", async () => {
    const { json } = await send({ verdict: "not_found", overridden: true });
    expect(json).toMatchObject({ credits: { success: true, creditsDeducted: 1 } });
    const { addressCheck, events } = await readKept(json.send_id);
    expect(addressCheck).toBe("not_found_overridden");
    expect(events.slice(0, 2)).toMatchObject([
      { text: expect.stringMatching(/^Address not found by the provider; sent anyway by \S+/), tone: "warn" },
      { text: "1 credit reserved, postcard sent" },
    ]);
  });

  test("the provider does not receive it", async () => {
    await send({ verdict: "not_found", overridden: true });
    const sent = app.provider.received.findLast(({ path }) => path === "postcards/create");
    expect(JSON.stringify(sent?.body)).not.toMatch(/address_check|overridden/);
  });

  test("without a check nothing is stored or shown", async () => {
    for (const note of [undefined, null]) {
      const { json } = await send(note);
      expect(await readKept(json.send_id)).toMatchObject({ addressCheck: null, lines: [] });
    }
  });

  test.each([
    ["corrected", true],
    ["corrected", false],
    ["not_found", false],
    ["valid", false],
    ["unchecked", false],
  ])("%s (overridden: %s) is stored", async (verdict, overridden) => {
    const { json } = await send({ verdict, overridden });
    const { addressCheck, lines } = await readKept(json.send_id);
    expect(addressCheck).toBe(overridden ? `${verdict}_overridden` : verdict);
    expect(lines).toHaveLength(1);
  });

  test("the database accepts no other verdict", async () => {
    const { json } = await send({ verdict: "valid", overridden: false });
    const write = app.db(
      (db) => db.$executeRaw`UPDATE sends SET address_check = 'fine' WHERE id = ${json.send_id ?? ""}`,
    );
    await expect(write).rejects.toThrow();
  });
});
