import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

test.use({ expectedErrors: /status of 429/ });

test("while the console is busy a page waits, keeps what was typed, and goes on by itself @script", async ({
  page,
}) => {
  await signIn(page);
  await page.goto("/stored");
  let refused = 0;
  await page.route(/\.data(\?|$)/, async (route) => {
    refused += 1;
    // A change of page asks for the data of two routes.
    if (refused > 4) return route.fallback();
    return route.fulfill({
      status: 429,
      headers: { "Retry-After": refused <= 2 ? "1" : "600" },
      body: "Too many requests.",
    });
  });
  await page.getByRole("link", { name: "Mail Management" }).click();
  const notice = page.getByRole("status").filter({ hasText: "The console is busy" });
  await expect(notice).toContainText("Nothing you typed is lost");
  await expect.poll(() => refused).toBe(4);
  await notice.getByRole("button", { name: "Try now" }).click();
  await expect(page).toHaveURL(/\/mail/);
  await expect(notice).toHaveCount(0);
});
