import { expect, openReady, test } from "../fixtures";
import { signIn } from "../sign-in";

test.use({ expectedErrors: /status of (429|502)|Unable to decode|SyntaxError/ });

test("while the console is busy a page waits, keeps the input, and continues automatically", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/stored");
  // Before that the browser itself follows a link.
  await expect(page.locator("html[data-script=ready]")).toBeAttached();
  let refused = 0;
  await page.route(/\.data(\?|$)/, async (route) => {
    refused += 1;
    if (refused > 2) return route.fallback();
    return route.fulfill({
      status: 429,
      headers: { "Retry-After": refused === 1 ? "1" : "600" },
      body: "Too many requests.",
    });
  });
  await page.getByRole("link", { name: "Mail Management" }).click();
  const notice = page.getByRole("status").filter({ hasText: "The console is busy" });
  await expect(notice).toContainText("Nothing you typed is lost");
  await expect.poll(() => refused).toBe(2);
  await notice.getByRole("button", { name: "Try now" }).click();
  await expect(page).toHaveURL(/\/mail/);
  await expect(notice).toHaveCount(0);
});

test("an answer from another server is shown as text, and the page stays", async ({ page }) => {
  await signIn(page);
  await openReady(page, "/stored");
  await page.route(/\.data(\?|$)/, (route) => route.fulfill({ status: 502, body: "<h1>Bad gateway</h1>" }));
  await page.getByRole("link", { name: "Mail Management" }).click();
  await expect(page.getByRole("alert")).toContainText("HTTP 502: Bad gateway");
  await expect(page.getByRole("heading", { name: "Stored Responses" })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("heading", { name: "Mail Management" })).toBeVisible();
});
