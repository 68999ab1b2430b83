import { CANCELLING_ALL, formatStopped, formatTestsDone, PROGRESS_OF_LIST } from "~/bulk/sending/messages";
import { listViolations } from "../accessibility";
import { readCredits, setCredits } from "../credits/credit-balance";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";
import { makeList, pasteRows } from "./list-steps";

const ROWS = 6;
/** What lists may have under way at once: a quarter of a process's calls. */
const AT_ONCE = 4;

test("a list is paused, resumed and stopped: what is not sent is released, and what was sent is cancelled", async ({
  page,
  mailroom,
  newcomer,
}) => {
  await signIn(page, newcomer.name);
  await setCredits(page, ROWS, newcomer.userId);
  await makeList(page, "Hello {firstname}.");
  await pasteRows(page, ROWS);
  await page.getByRole("button", { name: "Send tests" }).click();
  await expect(page.getByText(formatTestsDone(1, 1))).toBeVisible();
  const held = mailroom.provider.fail({ kind: "hold", path: "postcards/create", times: "always" });
  await page.getByRole("button", { name: /^Start LIVE/ }).click();

  const progress = page.getByRole("region", { name: "Progress" });
  await expect(progress.getByRole("progressbar", { name: PROGRESS_OF_LIST })).toBeVisible();
  await expect(progress).toContainText(`of ${ROWS} rows`);
  // What is under way already has its credits from the reservation.
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
  expect(await listViolations(page)).toEqual([]);
});

test("a row that the provider refused is corrected and sent", async ({ page, mailroom, newcomer }) => {
  await signIn(page, newcomer.name);
  await setCredits(page, 2, newcomer.userId);
  await makeList(page, "Hello {firstname}.");
  await pasteRows(page, 2);
  await page.getByRole("button", { name: "Send tests" }).click();
  await expect(page.getByText(formatTestsDone(1, 1))).toBeVisible();
  mailroom.provider.fail({ kind: "status", status: 400, path: "postcards/create" });
  await page.getByRole("button", { name: /^Start LIVE/ }).click();
  await expect(page.getByText("finished", { exact: true })).toBeVisible();
  expect(await readCredits(page, newcomer.userId)).toMatchObject({ credits: 1, held: 0 });

  await page.getByRole("link", { name: "Refused 1" }).click();
  await page.getByRole("link", { name: /^Correct row/ }).click();
  await page.getByLabel("Address", { exact: true }).fill("7 Other Street");
  await page.getByRole("button", { name: "Save row" }).click();
  await page.getByRole("button", { name: /^Start LIVE: 1 postcard,/ }).click();
  await expect(page.getByRole("link", { name: "View piece" })).toHaveCount(2);
  expect(await readCredits(page, newcomer.userId)).toMatchObject({ credits: 0, held: 0 });
});
