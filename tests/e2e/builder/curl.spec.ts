import { CURL_PROBLEMS, formatKeyDropped } from "~/builder/draft/parse-curl.server";
import { listViolations } from "../accessibility";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

test.use({ expectedErrors: /400.*\/api\/curl/ });
test.beforeEach(async ({ page }) => signIn(page));

const KEY = "curl-key-0815";

test("a pasted curl command fills the builder without its key", async ({ page, mailroom }) => {
  const before = mailroom.provider.received.length;
  await page.goto("/");
  const paste = page.getByText("Paste curl", { exact: true });
  await paste.click();
  const command = page.getByLabel("curl command");
  await command.fill("wget https://example.com");
  await page.getByRole("button", { name: "Fill the builder" }).click();
  await expect(page.getByRole("alert")).toContainText(CURL_PROBLEMS.notCurl);
  await expect(command).toHaveValue("wget https://example.com");

  await command.fill(
    `curl ${mailroom.provider.origin}/global/v1/recipients/list -u ${KEY}: -G -d limit=3 -d page=2`,
  );
  await page.getByRole("button", { name: "Fill the builder" }).click();
  await expect(page.getByRole("status").filter({ hasText: formatKeyDropped(["-u"]) })).toBeVisible();
  await expect(page.getByLabel("Limit")).toHaveValue("3");
  await expect(page.getByLabel("Base URL")).toHaveValue("Global");

  await page.goto("/");
  await paste.click();
  await command.fill(
    `curl ${mailroom.provider.origin}/v1/postcards/create -d api_key=${KEY} -d size=6x9 -d recipient=1001 -F front=@art/front.pdf`,
  );
  await page.getByRole("button", { name: "Fill the builder" }).click();
  await expect(page).toHaveURL(/preset=postcards\.create/);
  await expect(page.getByText("Choose front.pdf")).toBeVisible();
  expect(await page.content()).not.toContain(KEY);
  const called = mailroom.provider.received.slice(before);
  expect(called.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a curl command pasted into the path fills the builder", async ({ page, mailroom }) => {
  await page.goto("/?preset=account.balance");
  const path = page.getByLabel("Path", { exact: true });
  await path.focus();
  await path.evaluate((field, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, `curl -X POST ${mailroom.provider.origin}/v1/recipients/new -u ${KEY}: -d firstname=Ana`);
  await expect(path).toHaveValue("recipients/new");
  await expect(page.getByRole("status").filter({ hasText: formatKeyDropped(["-u"]) })).toBeVisible();

  await page.getByText("Paste curl", { exact: true }).click();
  await page.getByLabel("curl command").fill(`curl -X DELETE ${mailroom.provider.origin}/v1/things/5`);
  await page.getByRole("button", { name: "Fill the builder" }).click();
  await expect(page.getByRole("heading", { name: "Custom request" })).toBeVisible();
  await expect(page.getByLabel("curl command")).toBeHidden();
  await expect(path).toHaveValue("things/5");
});

test("the code for a program takes three actions from any page", async ({ page }) => {
  await page.goto("/users?view=history");
  await page.getByRole("link", { name: "API Builder" }).click();
  await page.getByRole("link", { name: "List recipients" }).click();
  await page.getByRole("link", { name: "Code", exact: true }).click();
  const code = page.getByLabel("Code", { exact: true });
  await expect(code).toHaveValue(/^curl [\s\S]*recipients\/list[\s\S]*STANNP_API_KEY/);

  await page.getByLabel("Language").selectOption("Python");
  await expect(code).toHaveValue(/requests\.request\([\s\S]*recipients\/list[\s\S]*STANNP_API_KEY/);
  await page.getByLabel(/^Call/).selectOption("through Mailroom");
  await expect(code).toHaveValue(/api\/stannp[\s\S]*MAILROOM_TOKEN/);
  expect(await listViolations(page)).toEqual([]);
});
