import { LAST_USED, START_TITLE } from "~/builder/page/start-panel";
import { chooseNewRecipient, FRONT, JANE } from "../builder/fill-postcard";
import { setCredits } from "../credits/credit-balance";
import { expect, test } from "../fixtures";
import { mail } from "../mail/mailed";
import { signIn } from "../sign-in";

test("the first screen leads a newcomer to a postcard, and later shows the status of the pieces", async ({
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
  // Black marks a person's choice, and the initial request is not chosen.
  await expect(page.locator(".button-primary")).toHaveCount(0);
  await start.getByRole("link", { name: /^Postcard/ }).click();
  await expect(page).toHaveURL(/preset=postcards\.create/);
  // The page's script stores the choice a moment after it runs.
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

test("eleven actions lead to a live postcard with an own picture and a new recipient", async ({
  page,
  newcomer,
}) => {
  await signIn(page, newcomer.name);
  await setCredits(page, 3, newcomer.userId);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  let actions = 0;
  const act = async (action: Promise<unknown>) => {
    actions++;
    await action;
  };
  await act(page.getByRole("link", { name: /^Postcard/ }).click());
  const bar = page.getByRole("region", { name: "Send", exact: true });
  const sendTest = bar.getByRole("button", { name: "Send test", exact: true });
  // A refusal is shown next to the button and brings the field into view.
  await page.getByLabel("Front image").scrollIntoViewIfNeeded();
  await sendTest.click();
  await expect(bar.getByRole("alert")).toContainText("Validation errors:");
  const focused = page.locator("input:focus");
  await expect.poll(async () => (await focused.boundingBox())?.y).toBeGreaterThan(50);
  const { y = 0 } = (await bar.boundingBox()) ?? {};
  expect((await focused.boundingBox())?.y).toBeLessThan(y - 30);

  await act(page.getByLabel("Front image").setInputFiles(FRONT));
  await act(chooseNewRecipient(page));
  const { country: _, ...address } = JANE;
  for (const [name, value] of Object.entries({ ...address, lastname: "Walker" })) {
    await act(page.locator(`[name="field.recipient_${name}"]`).fill(value));
  }
  await act(sendTest.click());
  // The page of a person who came from the start page shows the piece, with the JSON folded below.
  await expect(page.getByText("Provider's answer")).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Response parts" })).toBeHidden();
  await page.getByRole("button", { name: "Provider's PDF, page 1 of 2" }).click();
  const viewer = page.getByRole("dialog", { name: "Front" });
  await viewer.getByRole("button", { name: "Next page" }).click();
  const live = page
    .getByRole("dialog", { name: "Back" })
    .getByRole("button", { name: /^Send tested piece live/ });
  await act(live.click());
  await expect(page.getByText("1 credit charged. Balance 2.")).toBeVisible();
  expect(actions).toBeLessThanOrEqual(11);
});

test("a person whom the identity provider refuses sees an Auth Error, and logs in from the start page", async ({
  page,
}) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Log in", exact: true }).click();
  await page.getByRole("button", { name: "Priya Raman" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Auth Error" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.getByRole("link", { name: "Log in to start" }).click();
  await page.getByRole("button", { name: "Zoë Müller" }).click();
  await expect(page.getByRole("heading", { name: "Recent pieces" })).toBeVisible();
});

test("a tab is loaded while the pointer rests on it, and again after a change on the page", async ({
  page,
  newcomer,
}) => {
  await signIn(page, newcomer.name);
  const script = page.waitForResponse(/early-page/);
  await page.goto("/users");
  await (await script).finished();
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  const count = () => paths.filter((path) => path === "/stored.data").length;
  const tabs = page.getByRole("navigation", { name: "Tabs" });
  const stored = tabs.getByRole("link", { name: "Stored Responses" });
  const hover = async () => {
    const loaded = page.waitForResponse(/\/stored\.data$/);
    await stored.hover();
    await (await loaded).finished();
  };
  await hover();
  await stored.click();
  await expect(page).toHaveURL(/\/stored$/);
  expect(count()).toBe(1);

  await tabs.getByRole("link", { name: "User Credits" }).click();
  await expect(page).toHaveURL(/\/users$/);
  await hover();
  await page.evaluate(() =>
    fetch("/preferences", { method: "POST", body: new URLSearchParams({ theme: "dark" }) }),
  );
  await stored.click();
  await expect(page).toHaveURL(/\/stored$/);
  expect(count()).toBe(3);
});
