import { listViolations } from "../accessibility";
import { readCredits, setCredits } from "../credits/credit-balance";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";
import { makeList, pasteRows } from "./list-steps";

const APPROVAL_ASKED =
  "Approval requested. Another person has to approve this list; nothing is reserved or sent yet.";
const OTHER = "Benedikt Amann";
/** Letters that cost more than a person may send alone. */
const ROWS = 14;

// The refusal without a reason is answered with 400.
test.use({ expectedErrors: /status of 400/ });

test("another person refuses a list, then approves it, and it is sent", async ({ page, newcomer }) => {
  await signIn(page, newcomer.name);
  await setCredits(page, 30, newcomer.userId);
  const list = await makeList(page, "Hello {firstname}.", "letters");
  await pasteRows(page, ROWS);
  await page.getByRole("button", { name: "Send tests" }).click();
  await expect(page.getByText("The test is done. Check the provider's PDFs before you start.")).toBeVisible();
  const ask = page.getByRole("button", { name: `Ask for approval of ${ROWS} rows` });
  await ask.click();
  await expect(page.getByText(APPROVAL_ASKED)).toBeVisible();
  await expect(page.getByText(/^Someone other than the requester, .* must approve it\./)).toBeVisible();
  expect(await readCredits(page, newcomer.userId)).toMatchObject({ credits: 30, held: 0 });

  await signIn(page, OTHER);
  await page.goto("/alarms");
  await expect(page).toHaveTitle(/^\(\d+\) Alarms/);
  await page.locator(`a[href="${list}"]`, { hasText: "Pasted rows" }).click();
  const approval = page.getByRole("region", { name: "Approval" });
  await expect(approval).toContainText(`${newcomer.name} asks to start this list`);
  expect(await listViolations(page)).toEqual([]);
  const refuse = approval.getByRole("button", { name: "Refuse" });
  await refuse.click();
  await expect(page.getByText("Enter a reason of up to 500 characters.")).toBeVisible();
  // Enter does nothing while the first post is answered.
  await expect(refuse).toBeEnabled();
  await approval.getByLabel("Reason for refusing").fill("Last year's voucher");
  await approval.getByLabel("Reason for refusing").press("Enter");
  await expect(page.getByText("Refused. Nothing was sent.")).toBeVisible();

  await signIn(page, newcomer.name);
  await page.goto(list);
  await expect(page.getByText(`Not approved by ${OTHER}: Last year's voucher`)).toBeVisible();
  await ask.click();
  await expect(page.getByText(APPROVAL_ASKED)).toBeVisible();
  await signIn(page, OTHER);
  await page.goto(list);
  await approval.getByRole("button", { name: /^Approve and start LIVE: 14 letters/ }).click();
  await expect(page.getByText("finished", { exact: true })).toBeVisible();
  await expect(page.getByText(`approved by ${OTHER}`)).toBeVisible();
  expect(await readCredits(page, newcomer.userId)).toMatchObject({ credits: 2, held: 0 });
});
