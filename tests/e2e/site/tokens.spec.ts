import { formatRevoked, PROBLEMS } from "~/tokens/token-view";
import { listViolations } from "../accessibility";
import { JANE } from "../builder/fill-postcard";
import { setCredits } from "../credits/credit-balance";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

// The form without a scope is answered with 400.
test.use({ expectedErrors: /status of 400/ });

test("a token is created from the reference, sends on behalf of its owner within its scopes, and is revoked", async ({
  page,
  playwright,
  mailroom,
  newcomer,
}) => {
  await signIn(page, newcomer.name);
  await setCredits(page, 5, newcomer.userId);
  await page.goto("/reference");
  await expect(page.getByRole("link", { name: "Build it in the API Builder" }).first()).toHaveAttribute(
    "href",
    "/?preset=postcards.create",
  );
  await page.getByRole("link", { name: "Profile page" }).click();

  const form = page.getByRole("form", { name: "New token" });
  await form.getByLabel("Name").fill("nightly-job");
  await form.getByLabel("Credits per day").fill("1");
  for (const box of await form.getByRole("checkbox").all()) await box.uncheck();
  await form.getByRole("button", { name: "Create token" }).click();
  await expect(form.getByText(PROBLEMS.scopes)).toBeVisible();
  await expect(form.getByLabel("Name"), "what was typed is kept").toHaveValue("nightly-job");
  await form.getByRole("checkbox", { name: /^send:live / }).check();
  await form.getByRole("button", { name: "Create token" }).click();
  const created = page.getByRole("alert").filter({ hasText: "Copy it now: it is shown only once." });
  const token = await created.locator("code").innerText();
  const program = await playwright.request.newContext({
    baseURL: mailroom.origin,
    extraHTTPHeaders: { Authorization: `Bearer ${token}` },
  });
  const send = (key: string) =>
    program.post("/api/pieces", {
      headers: { "Idempotency-Key": key },
      data: {
        type: "postcard",
        mode: "live",
        recipient: { ...JANE, lastname: key },
        content: { size: "4x6", template: "21001", message: "Hello" },
      },
    });
  const sent = await send("nightly-job-1");
  expect(sent.status()).toBe(201);
  const { data } = await sent.json();
  expect((await send("nightly-job-2")).status(), "its limit of the day").toBe(403);
  const read = await program.get("/api/pieces");
  expect(await read.json()).toMatchObject({ code: "missing_scope", error: expect.stringContaining("read") });

  await page.goto(`/sends/${data.id}`);
  await expect(page.getByText(`${newcomer.name} via nightly-job`).first()).toBeVisible();
  await page.goto("/profile");
  await expect(created, "shown once").toHaveCount(0);
  const row = page.getByRole("table").getByRole("row", { name: /^nightly-job / });
  await expect(row).not.toContainText("Never");
  await row.getByRole("link", { name: "Revoke nightly-job" }).click();
  await page.getByRole("button", { name: "Revoke token" }).click();
  await expect(page.getByText(formatRevoked("nightly-job"))).toBeVisible();
  expect((await program.get("/api/pieces")).status()).toBe(401);
  await program.dispose();
  expect(await listViolations(page)).toEqual([]);
});
