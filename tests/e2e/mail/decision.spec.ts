import { command } from "../../support/database/postgres";
import { listViolations } from "../accessibility";
import { readCredits, setCredits } from "../credits/credit-balance";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

test.use({ expectedErrors: /alarm.piece_needs_decision|202|status of 400/ });

test("after a day only a person can decide", async ({ page, mailroom }) => {
  await signIn(page);
  await setCredits(page, 5);
  const faults = [
    mailroom.provider.fail({ kind: "reset-before", path: "postcards/create", times: "always" }),
    mailroom.provider.fail({ kind: "status", status: 500, path: /^reporting\/list/, times: "always" }),
  ];
  const sent = await page.request.post("/api/stannp", {
    data: {
      path: "postcards/create",
      method: "POST",
      body: { size: "4x6", template: "21001", recipient: "1001", test: false },
    },
  });
  const { send_id: id, pending } = await sent.json();
  expect(sent.status()).toBe(202);
  expect(pending).toBe(true);
  await command(
    mailroom.databaseUrl ?? "",
    `UPDATE sends SET created_at = now() - interval '26 hours', lease_until = now() WHERE id = '${id}'`,
  );

  await page.goto(`/sends/${id}`);
  await expect(page.getByRole("heading", { name: "Was it mailed?" })).toBeVisible();
  expect(await listViolations(page)).toEqual([]);
  const late = await page.context().newPage();
  await late.goto(`/sends/${id}`);
  await page.goto("/users");
  await page.getByRole("link", { name: "See what needs a decision" }).click();
  const piece = page.getByRole("main").locator(`a[href="/sends/${id}"]`);
  await expect(piece).toHaveText(/^Postcard( to .+)?, \d+ \w+ \d{4}$/);
  await piece.click();
  await expect(page.getByText("1 credit reserved until a person decides.")).toBeVisible();
  await page.getByRole("button", { name: "Not mailed: release the credits" }).click();
  await expect(page.getByText("Marked as not mailed. Its credits were released.")).toBeVisible();
  await late.getByRole("button", { name: "Not mailed: release the credits" }).click();
  await expect(late.getByRole("alert")).toHaveText(
    "This piece no longer needs a decision. Nothing was changed.",
  );
  await expect(late.getByRole("heading", { name: "Was it mailed?" })).toHaveCount(0);
  expect(await readCredits(page)).toMatchObject({ credits: 5, held: 0 });
  for (const fault of faults) fault.release();
});
