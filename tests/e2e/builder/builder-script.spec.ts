import { BODY_FROM_FORM } from "~/builder/forms/body-editor";
import { ANSWER_NOT_LOADED } from "~/builder/page/use-submit";
import { makePng, makePngPadding } from "../../support/files/sample-pictures";
import { expect, openReady, sendRequest, test } from "../fixtures";
import { holdScripts } from "../hold-scripts";
import { openPersonMenu, signIn } from "../sign-in";

/** JavaScript behaviour of the Builder. */
test.describe("with JavaScript", () => {
  test.beforeEach(async ({ page }) => signIn(page));

  test("invalid JSON is reported by its place, in a body, which is not sent, and in an answer", async ({
    page,
    mailroom,
  }) => {
    await page.goto("/?preset=recipients.create");
    await page.getByRole("link", { name: "Body", exact: true }).click();
    const send = page.getByRole("button", { name: /^Send( test)?$/ });
    await page.getByLabel("JSON body").fill('{\n  "firstname": "Ana"\n  "city": "Leeds"\n}');
    await expect(page.getByText("Invalid JSON")).toBeVisible();
    await expect(page.getByText("Line 3, column 3: a comma is missing.")).toBeVisible();
    await expect(send).toBeDisabled();
    await page.getByLabel("JSON body").fill('{"firstname":"Jo"}');
    mailroom.provider.fail({ kind: "respond", path: "recipients/create", body: '{"success": true,}' });
    await send.click();
    await expect(page.getByText("Line 1, column 18: ")).toBeVisible();
    await page.getByRole("button", { name: "Use the form again" }).click();
    await expect(page.getByText(BODY_FROM_FORM)).toBeVisible();
  });

  test("history lists sent requests and restores the whole request with its answer", async ({
    page,
    mailroom,
  }) => {
    await page.goto("/?preset=recipients.list");
    await page.getByLabel("Limit").fill("3");
    await page.getByRole("button", { name: /^Send( test)?$/ }).click();
    await expect(page.getByText("3 items")).toBeVisible();
    await expect(page.getByText("Auto-saved")).toBeVisible();
    await page.getByRole("link", { name: "Get recipient" }).click();
    await page.getByRole("button", { name: /^Send( test)?$/ }).click();
    await expect(page.getByText("Hartwell").first()).toBeVisible();
    await page.reload();
    await page.getByRole("link", { name: "History", exact: true }).click();
    const entries = page.locator("#history").getByRole("listitem");
    await expect(entries).toHaveCount(2);
    await expect(entries.first()).toContainText("recipients/get/1001");
    await entries.last().getByRole("link", { name: /^GET/ }).click();
    await expect(page.getByLabel("Path", { exact: true })).toHaveValue("recipients/list");
    await expect(page.getByText("3 items")).toBeVisible();
    await page.getByRole("link", { name: /^Form Fields/ }).click();
    await expect(page.getByLabel("Limit")).toHaveValue("3");
    await page.getByRole("button", { name: /^Send( test)?$/ }).click();
    await expect.poll(() => mailroom.provider.received.at(-1)?.query).toContainEqual(["limit", "3"]);
  });

  test.describe("a page with a part that cannot be loaded", () => {
    test.use({ expectedErrors: /ERR_FAILED/ });

    test("nothing is sent if the page could not show the answer", async ({ page, mailroom }) => {
      await page.route("**/assets/answer-chunk-*.js", (route) => route.abort());
      await openReady(page, "/");
      const before = mailroom.provider.received.length;
      await page.getByRole("button", { name: /^Send( test)?$/ }).click();
      await expect(page.getByText(ANSWER_NOT_LOADED)).toBeVisible();
      expect(mailroom.provider.received).toHaveLength(before);
    });

    test("an answer that is on the page stays when the code that shows it cannot be loaded", async ({
      page,
    }) => {
      await page.route("**/assets/*.js", (route) => route.abort());
      await page.goto("/?preset=recipients.list");
      await sendRequest(page);
      await page.unroute("**/assets/*.js");
      await page.route("**/assets/answer-chunk-*.js", (route) => route.abort());
      await page.getByRole("button", { name: /^Send( test)?$/ }).click();
      await page.waitForLoadState("networkidle");
      await expect(page.getByText("200 OK")).toBeVisible();
      await expect(page.locator("html[data-script=ready]")).toHaveCount(0);
    });
  });

  test("choosing another preset in time cancels a Load & Send", async ({ page, mailroom }) => {
    await openReady(page, "/?preset=recipients.list");
    const before = mailroom.provider.received.length;
    await page.evaluate(() => {
      const press = (selector: string) => document.querySelector<HTMLElement>(selector)?.click();
      press('li[data-shown="recipients.list"] button');
      press('li[data-shown="account.balance"] a');
    });
    await expect(page.getByLabel("Path", { exact: true })).toHaveValue("account/balance");
    await sendRequest(page);
    expect(mailroom.provider.received.slice(before).map((request) => request.path)).toEqual([
      "account/balance",
    ]);
  });

  test("Stop ends the wait; an answer names its request, also after another preset was opened, and is copied", async ({
    page,
    context,
    mailroom,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const held = mailroom.provider.fail({ kind: "hold", path: "account/balance", times: 2 });
    const send = page.getByRole("button", { name: /^Send( test)?$/ });
    await openReady(page, "/?preset=account.balance");
    await send.click();
    await expect(page.getByRole("status")).toHaveText("Waiting for the provider…");
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Stopped." })).toBeVisible();

    await send.click();
    await page.getByRole("link", { name: "List recipients" }).click();
    await expect(page.getByLabel("Path", { exact: true })).toHaveValue("recipients/list");
    held.release();
    const response = page.getByRole("region", { name: "Response" });
    await expect(response.getByText("200 OK")).toBeVisible();
    await expect(response.getByText("GET account/balance")).toBeVisible();
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Copy", exact: true })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"balance"');
    await page.getByRole("link", { name: "List mailing lists" }).click();
    await expect(response.getByText("200 OK")).toBeHidden();
  });

  test("a body with a large file is shown shortened and sent whole", async ({ page, mailroom }) => {
    const picture = Buffer.from(makePng(40, 30, { middle: [makePngPadding(300_000)] }));
    await page.goto("/?preset=postcards.create");
    await page.locator('[name="field.recipient"]').fill("1001");
    const file = { name: "large.png", mimeType: "image/png", buffer: picture };
    await page.locator('[name="field.front"]').setInputFiles(file);
    await expect(page.getByText("large.png").first()).toBeVisible();
    await page.getByRole("link", { name: "Body", exact: true }).click();
    await expect(page.locator("#body")).toContainText(
      `… ${picture.toString("base64").length.toLocaleString("en")} characters`,
    );
    await page.getByRole("button", { name: /^Send( test)?$/ }).click();
    await expect(page.getByRole("link", { name: "Raw" })).toBeVisible();
    const arrived = mailroom.provider.received.findLast(({ path }) => path === "postcards/create");
    expect(arrived?.body).toMatchObject({ front: picture.toString("base64") });
  });

  test("early input is sent by a press at the moment of hydration", async ({ page, mailroom }) => {
    await page.addInitScript(() => {
      const { removeEventListener } = window;
      // From this moment the page lets React handle presses.
      window.removeEventListener = (...removed: Parameters<typeof removeEventListener>) => {
        removeEventListener.apply(window, removed);
        if (removed[0] !== "click" || removed[2] !== true) return;
        window.removeEventListener = removeEventListener;
        const find = () => document.querySelector<HTMLElement>("button[name=intent][value=send]");
        queueMicrotask(() => find()?.click());
      };
    });
    for (const [preset, field] of [
      ["files.upload", "file"],
      ["groups.new", "name"],
    ]) {
      const release = await holdScripts(page);
      await page.goto(`/?preset=${preset}`, { waitUntil: "commit" });
      const control = page.locator(`[name="field.${field}"]`);
      if (field === "file") {
        await control.setInputFiles({
          name: "small.png",
          mimeType: "image/png",
          buffer: Buffer.from(makePng(8, 8)),
        });
      } else await control.fill("Amelia");
      release();
      await expect(page.getByText("200 OK")).toBeVisible();
      expect(mailroom.provider.received.at(-1)?.body).toMatchObject({
        [field as string]: field === "file" ? expect.any(String) : "Amelia",
      });
    }
  });

  test("the first character typed during hydration is kept", async ({ page }) => {
    const release = await holdScripts(page);
    await page.goto("/?preset=groups.new", { waitUntil: "commit" });
    const name = page.locator('[name="field.name"]');
    await expect(name).toBeVisible();
    release();
    await name.evaluate(actAtTakeOver, "type");
    await expect(page.locator("html[data-script=ready]")).toBeAttached();
    await page.getByRole("link", { name: "Query Params" }).click();
    await page.getByRole("link", { name: "Form Fields" }).click();
    await sendRequest(page);
    await expect(name).toHaveValue("Early");
  });

  test("a tab that is chosen during hydration stays open", async ({ page }) => {
    const release = await holdScripts(page);
    await page.goto("/?preset=groups.new", { waitUntil: "commit" });
    const tab = page.getByRole("link", { name: "Body", exact: true });
    await expect(tab).toBeVisible();
    release();
    await tab.evaluate(actAtTakeOver, "click");
    await expect(page.locator("html[data-script=ready]")).toBeAttached();
    await expect(page.getByLabel("JSON body")).toBeVisible();
    await expect(tab).toHaveAttribute("aria-current", "true");
  });

  test("input, caret and selection from before JavaScript loaded are kept", async ({ page, mailroom }) => {
    for (const [keys, expected] of [
      ["Home", "My Dear Amelia"],
      ["Control+A", "My "],
    ] as const) {
      const release = await holdScripts(page);
      await page.goto("/?preset=postcards.create", { waitUntil: "commit" });
      await page.locator('[name="field.template"]').fill("21001");
      await page.locator('[name="field.recipient"]').fill("1001");
      await page.locator('[name="field.size"]').selectOption("6x9");
      const message = page.locator('[name="field.message"]');
      await message.fill("Dear Amelia");
      await message.press(keys);
      release();
      await expect(page.locator("html[data-script=ready]")).toBeAttached();
      await page.keyboard.type("My ");
      await expect(message).toHaveValue(expected);
    }
    await sendRequest(page);
    const body = { template: "21001", recipient: "1001", size: "6x9", message: "My " };
    const sent = mailroom.provider.received.findLast(({ path }) => path === "postcards/create");
    expect(sent?.body).toMatchObject(body);
  });

  test("keys pressed during the start do not prevent hydration", async ({ page }) => {
    await page.addInitScript(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        document.body?.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", bubbles: true }));
        if (document.documentElement?.dataset.script !== "ready") port2.postMessage(null);
      };
      port2.postMessage(null);
    });
    await openReady(page, "/?preset=recipients.list");
  });

  test("a page that cannot be shown offers to retry, to reload and to go home", async ({ page }) => {
    await openReady(page, "/");
    const headers = { "X-Remix-Response": "yes" };
    await page.route("**/profile.data*", (route) => route.fulfill({ status: 500, headers, body: "no" }));
    await openPersonMenu(page);
    await page.getByRole("link", { name: "Profile" }).click();
    await expect(page.getByRole("heading", { name: "Something went wrong" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Reload Page" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Go Home" })).toBeVisible();
    await page.unroute("**/profile.data*");
    await page.getByRole("link", { name: "Try Again" }).click();
    await expect(page.getByRole("main").getByRole("heading", { name: "Access tokens" })).toBeVisible();
  });
});

test.use({
  expectedErrors: /Failed to load resource: the server responded with a status of (413|50\d)|^SyntaxError/,
});

/** Clicks or types in the browser's first task after React has replaced the server's page. */
function actAtTakeOver(element: HTMLElement | SVGElement, act: string): Promise<void> {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const root = Object.entries(document).find(([key]) => key.startsWith("__reactContainer$"))?.[1];
      if (root?.stateNode.current.memoizedState.isDehydrated !== false) return port2.postMessage(null);
      (element as HTMLElement)[act === "click" ? "click" : "focus"]();
      if (act === "type") document.execCommand("insertText", false, "Early");
      done();
    };
    port2.postMessage(null);
  });
}
