import { command } from "../../support/database/postgres";
import { API_KEY, expect, sendRequest, test } from "../fixtures";
import { logIn, openPersonMenu } from "../sign-in";

test("sign in, build a request, send it, see the result, sign out @plain", async ({
  page,
  mailroom,
  database,
}) => {
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Log in to send" })).toBeVisible();
  await logIn(page);
  await expect(page.getByText("Welcome, Ana Ruiz.")).toBeVisible();
  await page.getByRole("button", { name: "Close the welcome" }).click();
  await expect(page.getByText("Welcome, Ana Ruiz.")).toHaveCount(0);
  await expect(page.getByRole("banner").getByText("Server key detected (secure)")).toBeVisible();

  const users = page.getByLabel("Current user");
  await expect(users.getByRole("option").first()).toHaveText(/^Ana Ruiz \(You\)/);
  await expect(page.getByRole("alert").filter({ hasText: "Database Not Configured" })).toHaveCount(
    database === "none" ? 1 : 0,
  );

  await test.step("acting for a stored user, which the browser remembers", async () => {
    if (!mailroom.databaseUrl) return;
    await command(
      mailroom.databaseUrl,
      "INSERT INTO users (id, display_name, username) VALUES ('user-chidi', 'Chidi Okafor', 'chidi')",
    );
    await page.goto("/?preset=account.balance");
    await expect(users.getByRole("option").first()).toHaveText(/^Ana Ruiz \(You\)/);
    await page.getByText("US, acting as Ana Ruiz").click();
    await users.selectOption({ label: "Chidi Okafor, chidi" });
    await sendRequest(page);
    await page.goto("/");
    await expect(users).toHaveValue("user-chidi");
  });

  await test.step("a list", async () => {
    await page.getByRole("link", { name: "List recipients" }).click();
    await expect(page.getByLabel("Path", { exact: true })).toHaveValue("recipients/list");
    await page.getByRole("button", { name: /^Send( test)?$/ }).click();
    const response = page.getByRole("region", { name: "Response" });
    await expect(response.getByText("200 OK")).toBeVisible();
    await expect(response.getByText("25 items")).toBeVisible();
    await response.getByRole("link", { name: "Request" }).click();
    await expect(response.getByText(/GET http:\/\/127\.0\.0\.1:\d+\/v1\/recipients\/list\?/)).toBeVisible();
    await expect(page.locator("body")).not.toContainText(API_KEY);
  });

  await test.step("a test postcard", async () => {
    await page.getByRole("link", { name: "Create postcard" }).click();
    await page.getByRole("textbox", { name: /^Template/ }).fill("21001");
    // A text box, or a combo box once the recipients have loaded.
    await page.locator('[name="field.recipient"]').fill("1001");
    await page.getByRole("button", { name: /^Send( test)?$/ }).click();
    const response = page.getByRole("region", { name: "Response" });
    await expect(response.getByText("200 OK")).toBeVisible();
    await expect(response.getByText('"test"', { exact: true })).toBeVisible();
    const sent = mailroom.provider.received.findLast(({ path }) => path === "postcards/create");
    expect(sent?.body).toMatchObject({ size: "4x6", test: true });
  });

  await openPersonMenu(page);
  await page.getByRole("link", { name: "Profile" }).click();
  await expect(page.getByRole("definition").getByText("ana@example.com", { exact: true })).toBeVisible();
  await openPersonMenu(page);
  await page.getByRole("link", { name: "Log out" }).click();
  await expect(page.getByRole("link", { name: "Log in", exact: true })).toBeVisible();
});
