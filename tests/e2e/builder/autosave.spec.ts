import { randomUUID } from "node:crypto";
import type { Page } from "playwright/test";
import { setCredits } from "../credits/credit-balance";
import { expect, openReady, sendRequest, test } from "../fixtures";
import { logIn, openPersonMenu, signIn } from "../sign-in";
import { FRONT } from "./fill-postcard";

/** Drafts of the two mail forms, which this browser stores for each person. */
test.describe("with JavaScript", () => {
  const line = (page: Page) => page.getByRole("status").filter({ hasText: "Your draft from" });
  const field = (page: Page, name: string) => page.locator(`[name="field.${name}"]`);

  async function openForm(page: Page, form: "postcards" | "letters"): Promise<void> {
    await openReady(page, `/?preset=${form}.create`);
  }

  /** Draft entries in the browser's storage: forms, and files, whose write may outlast the page. */
  const listStored = (page: Page) =>
    page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const opening = indexedDB.open("mailroom");
          // The form has stored nothing yet, and an empty database would stay without a store.
          opening.onupgradeneeded = () => opening.transaction?.abort();
          opening.onerror = () => resolve([]);
          opening.onsuccess = () => {
            const keys = opening.result.transaction("drafts").objectStore("drafts").getAllKeys();
            keys.onsuccess = () => resolve(keys.result.map(String));
          };
        }),
    );

  test.beforeEach(async ({ page }) => signIn(page));

  test("survives a reload, as a test, with its files; Start fresh discards it", async ({
    page,
    mailroom,
  }) => {
    await openForm(page, "postcards");
    await field(page, "message").fill("Grüße,\n☕");
    await field(page, "recipient").fill("1001");
    await field(page, "front").setInputFiles(FRONT);
    await expect(page.getByRole("button", { name: "Remove front.png" })).toBeVisible();
    await expect.poll(() => listStored(page)).toHaveLength(1);
    await page.getByRole("button", { name: "Live", exact: true }).click();
    await page.reload();
    await expect(line(page)).toHaveText(
      /^Your draft from \d\d:\d\d is restored\. Test mode is on again\. Start fresh$/,
    );
    await expect(field(page, "message")).toHaveValue("Grüße,\n☕");
    await expect(page.getByRole("button", { name: "Test", exact: true })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await expect(page.getByText("PNG, 1872 x 1272 px")).toBeVisible();
    await sendRequest(page);
    const sent = mailroom.provider.received.findLast(({ path }) => path === "postcards/create");
    expect(sent?.body).toMatchObject({
      test: true,
      front: FRONT.buffer.toString("base64"),
      message: "Grüße,\n☕",
    });

    await page.getByRole("button", { name: "Start fresh" }).click();
    await expect(field(page, "message")).toHaveValue("");
    await expect(page.getByRole("button", { name: "Remove front.png" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Restore draft" })).toBeFocused();
    await page.getByRole("button", { name: "Restore draft" }).click();
    await expect(field(page, "message")).toHaveValue("Grüße,\n☕");
    await page.getByRole("button", { name: "Start fresh" }).click();
    await expect.poll(() => listStored(page)).toEqual([]);
    await page.reload();
    await expect(page.locator("html[data-script=ready]")).toBeAttached();
    await field(page, "message").fill("New");
    await expect(line(page)).toHaveCount(0);
  });

  test("has the input of the moment before the page was left", async ({ page }) => {
    await openForm(page, "postcards");
    await field(page, "message").fill("Just");
    await Promise.all([
      page.waitForEvent("load"),
      page.evaluate(() => {
        document.execCommand("insertText", false, " in time");
        setTimeout(() => window.location.reload());
      }),
    ]);
    await expect(field(page, "message")).toHaveValue("Just in time");
    const other = await page.context().newPage();
    await openForm(other, "postcards");
    await field(other, "message").fill("In another tab");
    await other.reload();
    await expect(field(other, "message")).toHaveValue("In another tab");
    await page.reload();
    await expect(field(page, "message")).toHaveValue("Just in time");
  });

  test("is not restored over input that a person starts while it loads", async ({ page }) => {
    await openForm(page, "postcards");
    await field(page, "message").fill("Saved before");
    await page.addInitScript(() => {
      const { getItem } = Storage.prototype;
      Storage.prototype.getItem = function (name) {
        // The last read before a draft is restored.
        if (name.startsWith("mailroom drafts")) {
          document.querySelector<HTMLElement>('[name="field.message"]')?.focus();
        }
        return getItem.call(this, name);
      };
    });
    await page.reload();
    await expect(field(page, "message")).toBeFocused();
    await expect(line(page)).toContainText("is set aside. Restore draft");
    await page.keyboard.type("Typed now");
    await expect(field(page, "message")).toHaveValue("Typed now");
    await page.getByRole("button", { name: "Restore draft" }).click();
    await expect(field(page, "message")).toHaveValue("Saved before");
  });

  test("is restored after another preset; Load & Send ignores it", async ({ page }) => {
    await openForm(page, "letters");
    await field(page, "content").fill("Dear Jane");
    await page.getByRole("link", { name: "List recipients" }).click();
    await field(page, "limit").fill("3");
    await page.getByRole("link", { name: "Create postcard" }).click();
    await field(page, "message").fill("Hello");
    await page.getByRole("link", { name: "Create letter" }).click();
    await expect(field(page, "content")).toHaveValue("Dear Jane");
    await page.getByRole("link", { name: "List recipients" }).click();
    await expect(field(page, "limit")).toHaveValue("25");
    await page.getByRole("link", { name: "Create postcard" }).click();
    await expect(field(page, "message")).toHaveValue("Hello");

    await page.getByRole("link", { name: "List recipients" }).click();
    await expect(field(page, "limit")).toBeVisible();
    const entry = page.locator('li[data-shown="postcards.create"]');
    await entry.hover();
    await entry.getByRole("button", { name: /^Load & Send/ }).click();
    await expect(line(page)).toContainText("is set aside. Restore draft");
    await expect(field(page, "message")).toHaveValue("");
    await page.getByRole("button", { name: "Restore draft" }).click();
    await expect(field(page, "message")).toHaveValue("Hello");
  });

  test("is deleted with the history at log-out, and never shown to another person", async ({ page }) => {
    const readKept = () =>
      page.evaluate(() => Object.keys(localStorage).filter((name) => /history|drafts/.test(name)));
    const expectHistory = async (entries: number) => {
      await page.getByRole("link", { name: "History" }).click();
      await expect(page.locator("#history")).toBeVisible();
      await expect(page.locator("#history").getByRole("listitem")).toHaveCount(entries);
    };
    await openForm(page, "postcards");
    await field(page, "recipient").fill("1001");
    await field(page, "message").fill("Ana's own");
    await field(page, "front").setInputFiles(FRONT);
    await sendRequest(page);
    await field(page, "message").fill("Ana's own again");
    await expect.poll(readKept).toContainEqual("mailroom.history auth-ana");
    await expect.poll(readKept).toContainEqual(expect.stringMatching(/drafts auth-ana postcards/));
    await expect.poll(() => listStored(page)).toHaveLength(1);
    // Without a log-out, as after the end of a session.
    await signIn(page, "Zoë Müller");
    await openForm(page, "postcards");
    await expect(field(page, "message")).toHaveValue("");
    await expectHistory(0);
    await signIn(page);
    await openForm(page, "postcards");
    await expect(field(page, "message")).toHaveValue("Ana's own again");
    await expectHistory(1);
    await openPersonMenu(page);
    await page.getByRole("link", { name: "Log out" }).click();
    await expect(page.getByRole("link", { name: "Log in", exact: true })).toBeVisible();
    expect(await page.evaluate(() => indexedDB.databases())).toEqual([]);
    expect(await readKept()).toEqual([]);
    // Logs out at the identity provider too.
    await page.context().clearCookies({ domain: "127.0.0.1" });
    await logIn(page);
    await openForm(page, "postcards");
    await expect(field(page, "message")).toHaveValue("");
  });

  test("is deleted after 30 days, with its files", async ({ page }) => {
    await openForm(page, "postcards");
    await field(page, "message").fill("Old");
    await field(page, "front").setInputFiles(FRONT);
    await expect.poll(() => listStored(page)).toHaveLength(1);
    // Leaves the page before the clock changes, so that it is not saved again with the later time.
    await page.goto("/reference");
    await page.clock.setFixedTime(Date.now() + 31 * 24 * 3_600_000);
    await openForm(page, "letters");
    await expect.poll(() => listStored(page)).toEqual([]);
  });

  test("is not restored once it was sent live, and says so while the outcome is unknown", async ({
    page,
    mailroom,
  }) => {
    await setCredits(page, 3);
    await openForm(page, "postcards");
    await field(page, "template").fill("21001");
    await field(page, "recipient").fill("1001");
    await field(page, "message").fill(`Held ${randomUUID()}`);
    await page.getByRole("button", { name: "Live", exact: true }).click();
    const live = page.getByRole("button", { name: /^Send LIVE: postcard/ });
    const held = mailroom.provider.fail({ kind: "hold", path: "postcards/create" });
    await live.click();
    await expect.poll(() => held.hits).toBe(1);
    await page.reload();
    const earlier = page.getByRole("status").filter({ hasText: "Your postcard" });
    await expect(earlier).toContainText("is being checked");
    await expect(page.getByRole("region", { name: "Readiness" })).not.toContainText("nothing is mailed");
    held.release();
    await expect(earlier).toContainText(/was sent at \d\d:\d\d\./);
    await expect(field(page, "template")).toHaveValue("");
    await earlier.getByRole("link", { name: "View piece" }).click();
    await expect(page).toHaveURL(/\/sends\//);
    await openForm(page, "postcards");
    await expect(earlier).toHaveCount(0);

    await field(page, "template").fill("21001");
    await field(page, "recipient").fill("1002");
    await field(page, "message").fill(`Sent ${randomUUID()}`);
    await page.getByRole("button", { name: "Live", exact: true }).click();
    await live.click();
    await expect(page.getByText(/1 credit charged/)).toBeVisible();
    await page.reload();
    await expect(earlier).toContainText("was sent at");
    await field(page, "message").fill("The next one");
    await expect(field(page, "template")).toHaveValue("");
    await expect(line(page)).toHaveCount(0);
    await page.reload();
    await expect(field(page, "message")).toHaveValue("The next one");
    await expect(earlier).toHaveCount(0);

    await field(page, "template").fill("21001");
    await field(page, "recipient").fill("1003");
    await page.getByRole("button", { name: "Live", exact: true }).click();
    const next = mailroom.provider.fail({ kind: "hold", path: "postcards/create" });
    await live.click();
    await expect.poll(() => next.hits).toBe(1);
    await field(page, "message").fill("Written next");
    await page.reload();
    next.release();
    await expect(earlier).toContainText("was sent at");
    await expect(field(page, "message")).toHaveValue("Written next");
    await setCredits(page, 0);
  });

  test("a live send that did not reach the server is reported as not sent after a reload, and its draft is restored", async ({
    page,
    mailroom,
  }) => {
    await setCredits(page, 3);
    await openForm(page, "letters");
    await field(page, "recipient").fill("1001");
    await field(page, "content").fill(`Cut off ${randomUUID()}`);
    await page.getByRole("button", { name: "Live", exact: true }).click();
    const sent = mailroom.provider.received.length;
    await page.route("**/api/stannp", (route) =>
      route.request().postData()?.includes("Cut off") ? undefined : route.continue(),
    );
    await page.getByRole("button", { name: /^Send LIVE: letter/ }).click();
    await expect(page.getByText("Waiting for the provider…")).toBeVisible();
    await page.reload();
    const earlier = page.getByRole("status").filter({ hasText: "Your letter" });
    await expect(earlier).toContainText("was not sent");
    await expect(field(page, "content")).toHaveValue(/^Cut off/);
    expect(mailroom.provider.received.slice(sent).filter(({ path }) => path.includes("create"))).toEqual([]);
    await setCredits(page, 0);
  });

  test("is replaced by the server's draft after a payment", async ({ page }) => {
    await openForm(page, "postcards");
    await field(page, "template").fill("21001");
    await field(page, "recipient").fill("1001");
    await field(page, "message").fill("Taken to the payment");
    await page.getByRole("button", { name: "Live", exact: true }).click();
    await page.getByRole("button", { name: "Buy 100 credits for $9.99" }).click();
    await expect(page.getByText("You will return to your draft after the payment.")).toBeVisible();
    const waiting = new URL(page.url()).searchParams.get("draft");
    await openForm(page, "postcards");
    await expect(field(page, "message")).toHaveValue("Taken to the payment");
    await field(page, "message").fill("Kept here");
    await page.goto(`/?preset=postcards.create&draft=${waiting}`);
    await expect(field(page, "message")).toHaveValue("Taken to the payment");
    await field(page, "message").fill("Changed since");
    await expect.poll(() => page.url()).not.toContain("draft=");
    await page.reload();
    await expect(field(page, "message")).toHaveValue("Changed since");
  });

  test("is not required: the page works without storage, or with an invalid draft in it", async ({
    page,
    context,
  }) => {
    await openForm(page, "postcards");
    await page.evaluate(() => {
      sessionStorage.clear();
      localStorage.setItem("mailroom drafts auth-ana postcards.create false", '{"version":2');
    });
    await page.reload();
    await expect(field(page, "message")).toHaveValue("");
    await field(page, "message").fill("Written over it");
    await page.reload();
    await expect(field(page, "message")).toHaveValue("Written over it");

    await context.addInitScript(() => Object.defineProperty(window, "indexedDB", { value: undefined }));
    await page.reload();
    await expect(field(page, "message")).toHaveValue("Written over it");
    await field(page, "message").fill("Kept as text");
    await field(page, "recipient").fill("1001");
    await field(page, "front").setInputFiles(FRONT);
    await expect(page.getByRole("button", { name: "Remove front.png" })).toBeVisible();
    await sendRequest(page);
    await page.reload();
    await expect(field(page, "message")).toHaveValue("Kept as text");
    await expect(line(page)).toContainText("Choose front.png again: it was not saved.");

    await context.addInitScript(() => {
      const { getItem } = Storage.prototype;
      Storage.prototype.getItem = function (name) {
        if (name.startsWith("mailroom drafts")) throw new DOMException("Not here", "SecurityError");
        return getItem.call(this, name);
      };
      Storage.prototype.setItem = () => {
        throw new DOMException("Not here", "QuotaExceededError");
      };
    });
    await page.reload();
    await expect(page.locator("html[data-script=ready]")).toBeAttached();
    await expect(field(page, "message")).toHaveValue("");
    await field(page, "message").fill("Not kept");
    await page.reload();
    await expect(page.locator("html[data-script=ready]")).toBeAttached();
    await expect(field(page, "message")).toHaveValue("");
  });
});

// A request that was under way at the log-out is refused.
test.use({ expectedErrors: /402.*\/api\/stannp|401.*\/api\/returned-address/ });
