import { LAST_USED, START_TITLE } from "~/builder/draft/messages";
import { setCredits } from "../credits/credit-balance";
import { expect, test } from "../fixtures";
import { mail } from "../mail/mailed";
import { signIn } from "../sign-in";

test("the first screen leads a newcomer to a postcard, and later shows what became of the pieces", async ({
  page,
  newcomer: { name, userId },
}) => {
  await signIn(page, name);
  await page.goto("/");
  const start = page.getByRole("region", { name: START_TITLE });
  await expect(start.getByRole("heading", { name: "Recent pieces" })).toBeVisible();
  await expect(start.getByRole("listitem")).toHaveCount(0);
  await page.setViewportSize({ width: 360, height: 740 });
  for (const name of ["Postcard", "Letter", "List", "Recent pieces", "What needs you"]) {
    await expect(start.getByRole("link", { name: new RegExp(`^${name}`) })).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  // Black is for what a person chose, and no one chose the request that the page opens with.
  await expect(page.locator(".button-primary")).toHaveCount(0);
  await start.getByRole("link", { name: /^Postcard/ }).click();
  await expect(page).toHaveURL(/preset=postcards\.create/);
  // The page's script remembers the choice a moment after it runs.
  await page.waitForFunction(() => localStorage.getItem("mailroom.preset") === "postcards.create");
  await page.goto("/");
  await expect(start.getByText(LAST_USED)).toBeVisible();
  await start.getByRole("link", { name: "Create postcard", exact: true }).click();
  await expect(page).toHaveURL(/preset=postcards\.create/);

  await setCredits(page, 3, userId);
  const piece = await mail(page, "letter", "Startwell");
  await page.goto("/");
  const line = start.getByRole("listitem").filter({ hasText: "Jane Startwell" });
  await expect(line).toContainText("received");
  await line.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/sends/${piece.id}$`));
});

test("somebody who is not signed in is told what Mailroom is, and logs in from there", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Log in to start" }).click();
  await page.getByRole("button", { name: "Zoë Müller" }).click();
  await expect(page.getByRole("heading", { name: "Recent pieces" })).toBeVisible();
});
