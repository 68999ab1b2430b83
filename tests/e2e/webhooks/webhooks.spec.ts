import { PROBLEMS } from "~/webhooks/messages";
import { listViolations } from "../accessibility";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

// The refused form is answered with 400.
test.use({ expectedErrors: /status of 400/ });

test("an endpoint is created, tested, read, rotated, switched off and removed", async ({ page }) => {
  const address = "https://hooks.invalid/mailroom";
  await signIn(page);
  await page.goto("/profile");
  await page.getByRole("link", { name: "Endpoints and deliveries" }).click();
  const form = page.getByRole("form", { name: "New endpoint" });
  await form.getByLabel("Address").fill("https://10.0.0.1/");
  await form.getByLabel("Description").fill("Sales CRM");
  await form.getByRole("checkbox", { name: /piece\.status/ }).uncheck();
  await form.getByRole("button", { name: "Create endpoint" }).click();
  await expect(page.getByText(PROBLEMS.urlPrivate)).toBeVisible();
  await expect(form.getByLabel("Description")).toHaveValue("Sales CRM");
  await expect(form.getByRole("checkbox", { name: /piece\.status/ })).not.toBeChecked();

  await form.getByLabel("Address").fill(`${address}?key=1`);
  await form.getByRole("button", { name: "Create endpoint" }).click();
  const secret = page.getByRole("alert").locator("code");
  await expect(secret).toHaveText(/^whsec_/);
  await page.getByRole("link", { name: `${address}?…` }).click();
  await expect(secret, "shown once").toHaveCount(0);

  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByText("Test event queued. It is sent within seconds.")).toBeVisible();
  const delivery = page.getByRole("row", { name: /webhook\.test.*The host name was not found/ });
  await expect(delivery, "the page refreshes").toBeVisible({ timeout: 120_000 });
  await page.getByRole("form", { name: "Samples" }).getByLabel("Event").selectOption("batch.paused");
  await page.getByRole("button", { name: "Send sample" }).click();
  await expect(page.getByRole("row", { name: /batch\.paused/ })).toBeVisible();
  const filter = page.getByRole("search", { name: "Filter deliveries" });
  await filter.getByLabel("Event").selectOption("batch.finished");
  await filter.getByRole("button", { name: "Filter" }).press("Enter");
  await expect(page.getByText("No deliveries match this filter.")).toBeVisible();
  await expect(filter.getByRole("button", { name: "Filter" })).toBeFocused();
  await filter.getByLabel("Event").selectOption("All events");
  await filter.getByRole("button", { name: "Filter" }).click();
  // This minute, so that not all events of other scenarios follow.
  await page.getByLabel("Date and time (UTC)").fill(new Date().toISOString().slice(0, 16));
  await page.getByRole("button", { name: "Send events" }).click();
  await expect(page.getByText(/No events to send since then|events? queued/)).toBeVisible();
  await delivery.getByRole("link", { name: "webhook.test" }).click();
  await expect(page.getByText(/"type":"webhook\.test"/)).toBeVisible();
  await expect(page.getByRole("article", { name: /^Try / }).first()).toContainText(
    "The host name was not found",
  );
  expect(await listViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Try now" }).click();
  await page.getByRole("link", { name: `${address}?…` }).click();
  await expect(page.getByRole("heading", { name: "Deliveries" })).toBeVisible();
  expect(await listViolations(page)).toEqual([]);

  await page.getByRole("button", { name: "Rotate secret" }).click();
  await expect(secret).toHaveText(/^whsec_/);
  await page.getByRole("button", { name: "Switch off" }).click();
  await expect(page.getByRole("button", { name: "Switch on" })).toBeVisible();
  await page.getByRole("link", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove endpoint" }).click();
  await expect(form).toBeVisible();
  await expect(page.getByRole("link", { name: `${address}?…` })).toHaveCount(0);
});
