import { beforeAll, expect, test } from "vitest";
import { RECIPIENT } from "../../support/console/mail-console";
import { setUpMailConsole, setUpPostgres } from "../../support/fixtures";

const postgres = await setUpPostgres();
const app = await setUpMailConsole(await postgres.createDatabase());
beforeAll(() => app.grant("payer", 20));

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
