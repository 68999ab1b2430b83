import type { Page } from "playwright/test";
import { formatRecipientNotFound } from "~/builder/draft/mail-rules";
import { formatRecipientUnknown } from "~/builder/forms/checklist";
import { formatFallbackUsed } from "~/builder/forms/recipient-section";
import { setCredits } from "../credits/credit-balance";
import { expect, sendRequest, test } from "../fixtures";
import { signIn } from "../sign-in";
import { fillPostcard } from "./fill-postcard";

/** The recipients that a mail form loads. */
test.use({ expectedErrors: /status of 502 .*\/api\/stannp/ });
test.beforeEach(async ({ page }) => signIn(page));

const LIST = "recipients/list";
const recipient = (page: Page) => page.locator('[name="field.recipient"]');
const standIn = (page: Page) => page.getByText(formatFallbackUsed("1001"));

const openPostcard = (page: Page) => page.goto("/?preset=postcards.create");

test("without a list a test gets a sample recipient until the list is loaded or live mode begins", async ({
  page,
  mailroom,
}) => {
  const failed = "Could not load recipients: Failed to fetch recipients";
  for (const [fault, message] of [
    [{ kind: "status", status: 500 }, failed],
    [{ kind: "unreadable" }, "Could not load recipients: Failed to parse recipients response."],
    [{ kind: "respond", body: '{"success":true,"data":[]}' }, "No recipients found for this user."],
  ] as const) {
    mailroom.provider.fail({ ...fault, path: LIST });
    await openPostcard(page);
    await expect(page.getByText(message)).toBeVisible();
    await expect(standIn(page)).toBeVisible();
    await expect(recipient(page)).toHaveValue("1001");
  }
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await expect(recipient(page)).toHaveValue("");

  for (const [typed, kept] of [
    ["1001", ""],
    ["1002", "1002"],
  ] as const) {
    mailroom.provider.fail({ kind: "status", status: 500, path: LIST });
    await openPostcard(page);
    await expect(recipient(page)).toHaveValue("1001");
    if (kept) await recipient(page).fill(typed);
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText(kept ? /^Zoë Müller, / : /^Search \d+ recipients$/)).toBeVisible();
    await expect(recipient(page)).toHaveValue(kept);
    await expect(standIn(page)).toHaveCount(0);
  }
});

test("without a user no recipients are loaded, and the form says so", async ({ page, mailroom }) => {
  const before = mailroom.provider.received.length;
  const answer = await page.request.post("/?index&preset=postcards.create", {
    multipart: { intent: "load_recipients", path: "postcards/create", user_id: "", "field.test": "true" },
  });
  expect((await answer.text()).replaceAll("<!-- -->", "")).toContain(
    "Could not load recipients: No user selected.",
  );
  expect(mailroom.provider.received.slice(before).some(({ path }) => path.includes(LIST))).toBe(false);
});

test("a recipient of the list is named by preview, form and live button, and stays so", async ({ page }) => {
  await setCredits(page, 5);
  await fillPostcard(page, { recipient: "1002" });
  const named = page.getByText(/^Zoë Müller, /);
  await expect(named).toBeVisible();
  await expect(page.getByRole("img", { name: /Zoë Müller/ })).toBeVisible();
  await page.getByRole("button", { name: "Live", exact: true }).click();
  await expect(page.getByRole("button", { name: /^Send LIVE: postcard 4x6 to Z\. Müller, / })).toBeVisible();
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await sendRequest(page);
  await expect(named).toBeVisible();
});

test("a saved recipient who is typed by name is sent as the ID; an unknown name stops the send", async ({
  page,
  mailroom,
}) => {
  await fillPostcard(page, { recipient: "zoe muller" });
  await expect(recipient(page)).toHaveValue("1002");
  await page.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText("200 OK")).toBeVisible();
  expect(mailroom.provider.received.at(-1)?.body).toMatchObject({ recipient: "1002" });

  await fillPostcard(page, { recipient: "Unknown Inparticular" });
  const sent = mailroom.provider.received.filter(({ path }) => path.includes("postcards/create")).length;
  await page.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText(formatRecipientNotFound("Unknown Inparticular")).first()).toBeVisible();
  await expect(recipient(page)).toHaveValue("Unknown Inparticular");
  expect(mailroom.provider.received.filter(({ path }) => path.includes("postcards/create"))).toHaveLength(
    sent,
  );

  await recipient(page).fill("Another Inparticular");
  await recipient(page).blur();
  await expect(recipient(page)).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText(formatRecipientNotFound("Another Inparticular")).first()).toBeVisible();
  await expect(page.getByText(formatRecipientUnknown("Another Inparticular"))).toBeVisible();
  await recipient(page).fill("zoe muller");
  await recipient(page).blur();
  await expect(recipient(page)).toHaveValue("1002");
  await expect(recipient(page)).not.toHaveAttribute("aria-invalid");
});
