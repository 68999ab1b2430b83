import { readFile } from "node:fs/promises";
import type { Page } from "playwright/test";
import { SIGNED_OUT } from "~/people/messages";
import { command } from "../../support/database/postgres";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

test.use({ expectedErrors: /status of 400/ });

const REFERENCE = "5f0c2a44-1b7e-4c39-9d55-0a1b2c3d4e5f";

/** Stores a user by the form of the tab; the name is the test's own. */
async function createUser(page: Page, displayName: string, username: string): Promise<void> {
  await fillNewUser(page, displayName, username);
  await expect(
    page.getByText(`Created ${displayName} (${username}). They have no credits yet.`),
  ).toBeVisible();
}

async function fillNewUser(page: Page, displayName: string, username: string): Promise<void> {
  await page.goto("/users");
  await page.getByText("New user", { exact: true }).click();
  await page.getByLabel("Display name").fill(displayName);
  await page.getByLabel("Username").fill(username);
  await page.getByRole("button", { name: "Create user" }).click();
}

async function adjust(page: Page, amount: string, description: string, button: string): Promise<void> {
  await page.getByLabel("Amount").fill(amount);
  await page.getByLabel("Description").fill(description);
  await page.getByRole("button", { name: button }).click();
}

const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

test("create a user, add credits, deduct some, and find it all in the history", async ({ page }) => {
  await signIn(page);
  await createUser(page, "Chinua Eze", "chinua");
  await expect(page.getByLabel("User", { exact: true }).locator("option:checked")).toHaveText(/^Chinua Eze/);

  await adjust(page, "60", "Opening balance", "Add credits");
  await expect(page.getByText("Successfully added 60 credits to Chinua Eze")).toBeVisible();
  await expect(page.getByLabel("Description")).toHaveValue("");
  const adjustments = page.getByRole("region", { name: "Recent adjustments" }).getByRole("row");
  await expect(adjustments.nth(1)).toContainText("Chinua Eze");
  await expect(adjustments.nth(1)).toContainText("+60");
  await expect(adjustments.nth(1)).toContainText("Ana Ruiz");

  await test.step("a message is shown once", async () => {
    await page.reload();
    await expect(page.getByText("Successfully added")).toHaveCount(0);
  });

  await test.step("a deduction above the balance is refused, and the input is kept", async () => {
    await page.getByLabel("User", { exact: true }).selectOption({ label: "Chinua Eze, chinua, 60 credits" });
    await adjust(page, "61", "Too much", "Deduct credits");
    await expect(page.getByRole("alert")).toHaveText(
      "Failed to deduct credits: Chinua Eze has 60 credits available. Nothing was changed.",
    );
    await expect(page.getByLabel("Amount")).toHaveValue("61");
    await expect(page.getByLabel("Description")).toHaveValue("Too much");
    await page.getByLabel("Description").press("Enter");
    await expect(page.getByLabel("User", { exact: true }).locator("option:checked")).toHaveText(/^Chinua/);
  });

  await test.step("a smaller deduction succeeds by the same form", async () => {
    await adjust(page, "52", "Corrected", "Deduct credits");
    await expect(page.getByText("Successfully deducted 52 credits from Chinua Eze")).toBeVisible();
  });

  await test.step("the overview", async () => {
    await page.getByRole("link", { name: "Overview" }).click();
    await expect(page.getByText(/have fewer than 10 credits\./)).toBeVisible();
    await expect(page.getByRole("link", { name: "Buy 100 credits for $9.99" })).toBeVisible();
    await expect(page.getByRole("table").getByRole("row").nth(1)).toContainText("You");
    await expect(rowOf(page, "Chinua Eze")).toContainText("8 credits, low");
    await page.getByLabel("Find a user").fill("CHINUA");
    await page.getByLabel("Find a user").press("Enter");
    await expect(page.getByText("1 user found for “CHINUA”.")).toBeVisible();
    await expect(page.getByRole("table").getByRole("row")).toHaveCount(2);
  });

  await test.step("the history", async () => {
    await rowOf(page, "Chinua Eze").getByRole("link", { name: "History" }).click();
    const rows = page.getByRole("region", { name: "Transactions" }).getByRole("row");
    await expect(rows).toHaveCount(3);
    await expect(rows.nth(1)).toContainText("debit");
    await expect(rows.nth(1)).toContainText("−52");
    await expect(rows.nth(2)).toContainText("+60");
    await page.getByLabel("Type").selectOption("credit");
    await page.getByRole("button", { name: "Filter" }).click();
    await expect(rows).toHaveCount(2);
    await expect(page).toHaveURL(/type=credit/);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download CSV" }).click(),
    ]);
    const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(",Chinua Eze,credit,60,60,Opening balance,Ana Ruiz,");
    await page.getByLabel("Description or reference").fill("nowhere");
    await page.getByRole("button", { name: "Filter" }).click();
    await expect(page.getByText("No transactions match this filter.")).toBeVisible();
  });
});

test("a form that was submitted already, or whose session ended, says so and keeps its input", async ({
  page,
  context,
  mailroom,
}) => {
  await signIn(page);
  await createUser(page, "Stale Form", "stale");
  const form = {
    intent: "add",
    idempotency_key: await page.locator("input[name=idempotency_key]").inputValue(),
    user_id: await page.getByLabel("User", { exact: true }).inputValue(),
    amount: "5",
    description: "In another tab",
  };
  await page.request.post(`${mailroom.origin}/users?view=manage`, { form, maxRedirects: 0 });
  await adjust(page, "6", "Here", "Add credits");
  await expect(page.getByRole("alert")).toContainText(
    "This form was already used for another adjustment, so nothing more was changed.",
  );
  await page.getByRole("button", { name: "Add credits" }).click();
  await expect(page.getByText("Successfully added 6 credits to Stale Form")).toBeVisible();
  await page.goto("/users?q=stale");
  await expect(rowOf(page, "Stale Form")).toContainText("11 credits");

  await page.goto("/users?view=manage");
  await page.getByLabel("User", { exact: true }).selectOption({ label: "Stale Form, stale, 11 credits" });
  await context.clearCookies();
  await adjust(page, "12", "Typed before", "Add credits");
  await expect(page.getByText(SIGNED_OUT)).toBeVisible();
  await expect(page.getByLabel("Amount")).toHaveValue("12");
  await expect(page.getByLabel("Description")).toHaveValue("Typed before");
});

test("a reference is shortened, is copied in full and links to its piece, and there are older pages", async ({
  page,
  context,
  mailroom,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page);
  await createUser(page, "Many Rows", "many-rows");
  // In the format of sends.
  await command(
    mailroom.databaseUrl ?? "",
    `INSERT INTO credit_transactions (user_id, transaction_type, amount, balance_before, balance_after,
       description, actor_id, cause, cause_key, mail_type, reference_response_id)
     SELECT u.id, 'credit', 1, n - 1, n, 'row ' || n, 'system', 'adjustment', u.id || n, 'letter', '${REFERENCE}'
     FROM users u, generate_series(1, 60) n WHERE u.username = 'many-rows'`,
  );
  await page.goto("/users?q=many-rows");
  await rowOf(page, "Many Rows").getByRole("link", { name: "History" }).click();
  await expect(page.getByRole("row")).toHaveCount(51);
  await expect(page.getByRole("row").nth(1)).toContainText("row 60");
  const reference = page.getByRole("link", { name: "5f0c2a44-1b7…" }).first();
  await expect(reference).toHaveAttribute("href", `/sends/${REFERENCE}`);
  await page.getByRole("button", { name: /^Copy/ }).first().click();
  await expect(page.getByRole("button", { name: /^Copied/ })).toBeVisible();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(REFERENCE);
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page.getByRole("row")).toHaveCount(11);
  await expect(page.getByRole("row").nth(1)).toContainText("row 10");
  await expect(page.getByText("No older transactions.")).toBeVisible();
  await page.getByRole("link", { name: "Newest" }).click();
  await expect(page.getByRole("row").nth(1)).toContainText("row 60");
});

test("the buttons are disabled until all fields are filled in", async ({ page }) => {
  await signIn(page);
  await page.goto("/users?view=manage");
  const add = page.getByRole("button", { name: "Add credits" });
  const deduct = page.getByRole("button", { name: "Deduct credits" });
  await expect(add).toBeDisabled();
  await page.getByLabel("User", { exact: true }).selectOption({ index: 1 });
  await page.getByLabel("Amount").fill("5");
  await expect(deduct).toBeDisabled();
  await page.getByLabel("Description").fill("  ");
  await expect(add).toBeDisabled();
  await page.getByLabel("Description").fill("x");
  await expect(add).toBeEnabled();
  await expect(deduct).toBeEnabled();
  await page.getByLabel("Amount").fill("");
  await expect(add).toBeDisabled();
});
