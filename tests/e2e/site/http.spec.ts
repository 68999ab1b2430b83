import { connect } from "node:net";
import { expect, test } from "../fixtures";

/** Writes these lines to the console's port and returns the answer's first line. */
function speak(origin: string, ...lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(new URL(origin).port), "localhost", () => {
      socket.write(`${[...lines, "Connection: close", "", ""].join("\r\n")}`);
    });
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.on("end", () => resolve(answer.split("\r\n")[0] ?? ""));
    socket.on("error", reject);
  });
}

test("every kind of answer carries the headers of a hardened site", async ({ request, mailroom }) => {
  const page = await request.get("/");
  const script = /\/assets\/[\w./-]+\.js/.exec(await page.text())?.[0] ?? "";
  for (const address of [
    "/",
    "/icon.svg",
    script,
    "/healthz",
    "/api/users",
    "/api/auth/login",
    "/assets/none.js",
  ]) {
    const headers = (await request.get(address, { maxRedirects: 0 })).headers();
    expect(headers, address).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
    });
    expect(headers["content-security-policy"], address).toContain("frame-ancestors 'none'");
    expect(headers["x-powered-by"], address).toBeUndefined();
  }
  expect(page.headers()["content-security-policy"]).toMatch(/script-src 'self' 'nonce-[\w+/=]{20,}'/);
  expect(page.headers()["content-security-policy"]).not.toContain("unsafe");
  expect(mailroom.output.filter((line) => !line.startsWith('{"level"'))).toEqual([]);
});

test("a first page has inline styles and shows typefaces when they are loaded, later ones link them", async ({
  page,
  request,
}) => {
  const first = await request.get("/");
  expect(await first.text()).toMatch(/<style[^>]*>.*--paper:/s);
  // Hydration would invalidate styles with each input.
  expect(await first.text()).not.toMatch(/:has\([^{}]*:checked/);
  expect(await first.text()).not.toMatch(/<html[^>]* data-typefaces/);
  await page.goto("/");
  await expect(page.locator("html[data-typefaces]")).toBeAttached();
  expect(await page.evaluate(() => document.fonts.check('1em "Inter Variable"'))).toBe(true);
  expect(first.headers()["content-security-policy"]).toMatch(/style-src 'self' 'sha256-[\w+/=]{44}';/);
  const next = await request.get("/stored", { headers: { "Sec-Fetch-Site": "same-origin" } });
  expect(await next.text()).toContain('<link rel="stylesheet"');
  expect(await next.text()).not.toContain("<style");
  expect(await next.text()).toMatch(/<html[^>]* data-typefaces/);
  expect(next.headers()["content-security-policy"]).toContain("style-src 'self';");
});

test("invalid addresses and hosts are a 4xx", async ({ mailroom }) => {
  const { origin } = mailroom;
  const host = "Host: localhost";
  expect(await speak(origin, "GET / HTTP/1.1", 'Host: a"b<c>')).toContain(" 400 ");
  expect(await speak(origin, "GET / HTTP/1.1", "Host: localhost:99999999")).toContain(" 400 ");
  expect(await speak(origin, "GET /%zz HTTP/1.1", host)).toContain(" 400 ");
  expect(await speak(origin, "GET //[ HTTP/1.1", host)).toMatch(/ 4\d\d /);
  expect(await speak(origin, "GET /assets/../../package.json HTTP/1.1", host)).toMatch(/ 4\d\d /);
  expect(await speak(origin, "GET /.env HTTP/1.1", host)).toMatch(/ 404 /);
  expect(await speak(origin, "TRACE / HTTP/1.1", host)).toContain(" 405 ");
  expect(await speak(origin, "GET /readyz HTTP/1.1", host, "X-Forwarded-Host: a:99999999")).toContain(
    " 400 ",
  );
  expect(await speak(origin, "GET /readyz HTTP/1.1", host)).toContain(" 200 ");
});
