import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildConsole } from "../../support/console/console-build";
import { listKeySpellings } from "../../support/key-spellings";
import { API_KEY, expect, test } from "../fixtures";
import { logIn } from "../sign-in";

const SPELLINGS = Object.entries(listKeySpellings(API_KEY));

/** Where the key stands in a text, by the name of its spelling. */
function findKey(text: string): string[] {
  return SPELLINGS.filter(([, spelling]) => text.includes(spelling)).map(([name]) => name);
}

test("the provider's key reaches no page, no answer and no log, even when the provider echoes it", async ({
  page,
  mailroom,
}) => {
  const reached: Promise<string>[] = [];
  page.on("response", (response) => {
    if (!response.url().startsWith(mailroom.origin)) return;
    const head = JSON.stringify([response.url(), response.headers()]);
    // A redirect has no body to read.
    reached.push(
      response.text().then(
        (body) => head + body,
        () => head,
      ),
    );
  });
  await logIn(page);
  for (const kind of ["echo-key", "unreadable"] as const) {
    mailroom.provider.fail({ kind, path: "account/balance" });
    await page.goto("/?preset=account.balance");
    await page.getByRole("button", { name: /^Send( test)?$/ }).click();
    await expect(page.getByRole("link", { name: "Raw" })).toBeVisible();
    // A locator asks again while the page is still changing.
    reached.push(page.locator("html").innerHTML());
  }
  const texts = await Promise.all(reached);
  expect(texts.length).toBeGreaterThan(4);
  expect(texts.flatMap(findKey)).toEqual([]);
  expect(mailroom.output.flatMap(findKey)).toEqual([]);
  // The emulator did echo it, so the silence above is ours.
  expect(mailroom.provider.received.at(-1)?.headers.authorization).toContain("Basic ");
});

test("the browser's bundle has neither the key nor the server's settings", async () => {
  const folder = join(await buildConsole(), "build/client/assets");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".js"),
  );
  expect(files.length).toBeGreaterThan(3);
  const bundle = files.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  expect(findKey(bundle)).toEqual([]);
  expect(bundle).not.toMatch(/STANNP_API_KEY=|SESSION_SECRET|ZodError/);
});
