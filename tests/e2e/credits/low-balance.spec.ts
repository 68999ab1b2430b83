import { formatLowBalance } from "~/credits/low-balance/low-balance";
import { listViolations } from "../accessibility";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";
import { setCredits } from "./credit-balance";

test("a low balance is shown on every page until it is closed, once at 50 credits and once at 10", async ({
  page,
  newcomer,
}) => {
  await signIn(page, newcomer.name);
  await setCredits(page, 60, newcomer.userId);
  await page.goto("/");
  const notice = page.getByRole("region", { name: "Low balance" });
  await expect(notice).toHaveCount(0);

  await setCredits(page, 49, newcomer.userId);
  await page.goto("/mail");
  await expect(notice).toContainText(formatLowBalance(null, 50));
  expect(await listViolations(page)).toEqual([]);
  await notice.getByRole("button", { name: "Close" }).click();
  await expect(notice).toHaveCount(0);
  await expect(page, "the page stays").toHaveURL(/\/mail$/);
  await setCredits(page, 48, newcomer.userId);
  await page.reload();
  await expect(page.getByRole("link", { name: "48 credits" })).toBeVisible();
  await expect(notice).toHaveCount(0);

  await setCredits(page, 9, newcomer.userId);
  await page.reload();
  await expect(notice).toContainText(formatLowBalance(null, 10));
  await notice.getByRole("link", { name: "Buy credits" }).click();
  await expect(page).toHaveURL(/view=purchase/);
});
