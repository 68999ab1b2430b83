import { setCredits } from "../credits/credit-balance";
import { expect, test } from "../fixtures";
import { mail } from "../mail/mailed";
import { signIn } from "../sign-in";

test("each chart answers its question in a sentence and has its numbers as a table @plain", async ({
  page,
  mailroom,
  newcomer: { name, userId },
}) => {
  await signIn(page, name);
  await setCredits(page, 2, userId);
  const { id, mailId } = await mail(page, "letter", "Charted");
  mailroom.provider.move(mailId, "delivered");
  await page.goto(`/sends/${id}`);
  await page.getByRole("button", { name: "Refresh status" }).click();
  await expect(page.getByText("Status delivered")).toBeVisible();
  await page.goto("/users");
  await page.getByRole("link", { name: "Insights" }).click();
  const states = page.getByRole("region", { name: /^What became of the mail/ });
  await expect(states.getByRole("img", { name: /^What became of the mail.*Of \d+ pieces?/ })).toBeVisible();
  await states.getByText("Show as a table").click();
  await expect(states.getByRole("columnheader", { name: "delivered" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: /\?$/ })).toHaveCount(5);
  const days = page.getByRole("region", { name: /^How many days/ });
  await expect(days.getByRole("img", { name: /Half of the mail arrives within/ })).toBeVisible();
  await expect(page.getByRole("region", { name: /^How fast did the provider answer/ })).toContainText(
    /Half of \d+ answers came within/,
  );
});
