import { CANCELLING_ALL, formatStartTime, formatStopped } from "~/bulk/messages";
import { listViolations } from "../accessibility";
import { readCredits, setCredits } from "../credits/credit-balance";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";
import { makeList, pasteRows } from "./list-steps";

const ROWS = 6;
/** Concurrent sends of lists: a quarter of a process's calls. */
const AT_ONCE = 4;

test("a list is paused, resumed and stopped: unsent pieces are released, and sent ones are cancelled", async ({
  page,
  mailroom,
  newcomer,
}) => {
  await signIn(page, newcomer.name);
  await setCredits(page, ROWS, newcomer.userId);
  await makeList(page, "Hello {firstname}.");
  await pasteRows(page, ROWS);
  await page.getByRole("button", { name: "Send tests" }).click();
  await expect(page.getByText("The test is done. Check the provider's PDFs before you start.")).toBeVisible();
  const held = mailroom.provider.fail({ kind: "hold", path: "postcards/create", times: "always" });
  await page.getByRole("button", { name: /^Start LIVE/ }).click();

  const progress = page.getByRole("region", { name: "Progress" });
  await expect(progress.getByRole("progressbar", { name: "Rows sent to the provider" })).toBeVisible();
  await expect(progress).toContainText(`of ${ROWS} rows`);
  // Pieces under way already have their credits from the reservation.
  await expect(progress).toContainText(new RegExp(`Reserved[${ROWS - AT_ONCE}-${ROWS}] credits`));
  await expect.poll(() => held.hits).toBe(AT_ONCE);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("paused", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("sending LIVE", { exact: true })).toBeVisible();
  expect(await listViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("paused", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stop the list" }).click();
  const left = ROWS - AT_ONCE;
  await expect(page.getByText(formatStopped(left))).toBeVisible();
  held.release();
  await expect(progress.getByRole("definition").filter({ hasText: `${AT_ONCE} credits` })).toBeVisible();
  expect(await readCredits(page, newcomer.userId)).toMatchObject({ credits: left, held: 0 });

  await page.getByRole("link", { name: `Cancel ${AT_ONCE} pieces` }).click();
  await page.getByRole("button", { name: "Cancel Mail" }).click();
  await expect(page.getByText(CANCELLING_ALL)).toBeVisible();
  await expect(progress).toContainText(`Refunded${AT_ONCE} credits`);
  await expect(page.getByText(CANCELLING_ALL), "it is done").toHaveCount(0);
  expect(await readCredits(page, newcomer.userId)).toMatchObject({ credits: ROWS, held: 0 });
});

test.describe("a start of many pieces", () => {
  test.use({ expectedErrors: /status of 400/ });

  test("faults are allowed for all rows; a start of many pieces asks for their number, is undone, scheduled and moved @plain", async ({
    page,
    newcomer,
  }) => {
    const rows = 27;
    await signIn(page, newcomer.name);
    await setCredits(page, rows, newcomer.userId);
    await makeList(page, "Hello {firstname|friend}.");
    const people = Array.from(
      { length: rows },
      (_, at) => `Row-${at}\t${at + 1} ${newcomer.userId}\tPortland`,
    );
    const faulty = [...people.slice(1), "Noa\tNo fixed abode\tPortland"];
    const lines = faulty.map((line) => `Ana\t${line}\t97205\tUS`);
    const header = "First name\tLast name\tAddress\tCity\tZIP\tCountry";
    await page.getByLabel("Or rows from a spreadsheet").fill([header, ...lines].join("\n"));
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("link", { name: "To correct 1" }).click();
    await page.getByRole("button", { name: "Send 1 row with a fault anyway" }).click();
    await expect(page.getByRole("link", { name: "With warnings 1" })).toBeVisible();
    await page.getByLabel("Rows to test").fill("2");
    await page.getByRole("button", { name: "Send tests" }).click();
    await expect(
      page.getByText("The test is done. Check the provider's PDFs before you start."),
    ).toBeVisible();

    const start = page.getByRole("button", { name: /^Start LIVE: 27/ });
    await page.getByLabel(`Type ${rows} to confirm`).fill("2.7");
    await start.click();
    await expect(
      page.getByText(`Type the number of pieces, ${rows}, to start them. Nothing was reserved or sent.`),
    ).toBeVisible();
    await page.getByLabel(`Type ${rows} to confirm`).fill("27");
    await start.click();
    await expect(page.getByText(`Starting ${rows} pieces…`)).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(
      page.getByText(`The start was undone. Nothing was sent. ${rows} credits released.`),
    ).toBeVisible();
    expect(await readCredits(page, newcomer.userId)).toMatchObject({ credits: rows, held: 0 });

    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    const at = (days: number) => new Date(minute + days * 86_400_000);
    const type = (day: Date) => page.getByLabel("Date and time (UTC)").fill(day.toISOString().slice(0, 16));
    await page.getByText("Start later").click();
    await page.getByLabel(`Type ${rows} to confirm`).fill("27");
    await type(at(2));
    await page.getByRole("button", { name: "Set the start" }).click();
    const panel = page.getByRole("region", { name: "Start", exact: true });
    await expect(panel).toContainText(`${formatStartTime(at(2))}. 27 credits reserved.`);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("draft", { exact: true })).toBeVisible();
  });
});
