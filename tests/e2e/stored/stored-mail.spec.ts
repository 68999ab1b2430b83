import { setCredits } from "../credits/credit-balance";
import { expect, test } from "../fixtures";
import { mail } from "../mail/mailed";
import { signIn } from "../sign-in";
import { storeResponse } from "./stored-rows";

test("a stored test says that it is a test and for whom, is found by the recipient, and has nothing to cancel", async ({
  page,
  newcomer: { name, userId },
}) => {
  await signIn(page, name);
  await setCredits(page, 1, userId);
  await mail(page, "postcard", "Ostrowska", { test: true });
  await mail(page, "postcard", "Ostrowska");
  const rows = page.getByRole("list").getByRole("listitem").filter({ hasText: "postcards/create" });
  const address = `/stored?user_id=${userId}&search=jane+ostrowska`;
  // The response is stored after its answer was returned.
  await expect
    .poll(async () => {
      await page.goto(address);
      return rows.count();
    })
    .toBe(2);
  await expect(rows.filter({ hasText: "Test" })).toContainText("To Jane Ostrowska");
  await expect(rows.filter({ hasText: "Test" }).getByRole("link", { name: /^Cancel Mail/ })).toHaveCount(0);
  await expect(rows.filter({ hasText: "Live" }).getByRole("link", { name: /^Cancel Mail/ })).toHaveCount(1);

  await page.goto(`/stored?user_id=${userId}&search=97205&mode=live&columns=status,user`);
  await expect(rows).toHaveCount(1);
  await expect(rows).not.toContainText("To Jane Ostrowska");
});

test("two responses on different pages of the list are compared", async ({
  page,
  newcomer: { name, userId },
}) => {
  await signIn(page, name);
  // This call stores the signed-in person.
  await page.request.get(`/api/credits?user_id=${userId}`);
  const own = { user_id: userId, tags: ["over pages"] };
  const oldest = await storeResponse(page, { ...own, path: "account/oldest", response_data: { n: 0 } });
  for (let n = 1; n <= 50; n++) await storeResponse(page, { ...own, response_data: { n } });
  await page.goto(`/stored?user_id=${userId}&tag=over+pages`);
  await page
    .getByRole("checkbox", { name: /^Compare/ })
    .first()
    .check();
  // With JavaScript the selection survives paging.
  await expect(page.locator("html[data-script=ready]")).toBeAttached();
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page.getByText(/^Chosen:/)).toBeVisible();
  await page.getByRole("checkbox", { name: "Compare GET account/oldest" }).check();
  await page.getByRole("button", { name: "Compare with chosen" }).click();
  await expect(page).toHaveURL(new RegExp(`/stored/compare\\?a=\\w+&b=${oldest}$`));
});
