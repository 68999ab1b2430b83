import { randomUUID } from "node:crypto";
import { matchPath } from "@remix-run/react";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ACCESS } from "~/access.server";
import { FALLBACK_TESTED } from "~/builder/answer/send-tested";
import { openPreset } from "~/builder/draft/draft";
import { BLOCKED_IN_TEST, FAULT_NOT_ALLOWED, MODE_MESSAGES } from "~/builder/draft/messages";
import { CURL_PROBLEMS, formatKeyDropped } from "~/builder/draft/parse-curl.server";
import { findPresetCall } from "~/builder/draft/presets.server";
import { buildRequest } from "~/builder/draft/request";
import { ADDRESS_CHANGED, ADDRESS_WORDS } from "~/builder/forms/address-check-panel";
import { formatKeptFile } from "~/builder/forms/file-field";
import { formatTemplatesFailed } from "~/builder/forms/provider-template-picker";
import { formatFallbackUsed } from "~/builder/forms/recipient-section";
import { KEEP_AS_TEMPLATE } from "~/builder/forms/team-template-form";
import { SEND_TO_LIST } from "~/builder/page/builder";
import { formatUncheckedCountry } from "~/builder/send/check-address";
import { TEMPLATE_FAILURES } from "~/builder/send/provider-list";
import { PRESETS } from "~/catalogue/presets";
import type { FormField } from "~/catalogue/types";
import { MAY_BE_ACCEPTED, RETRIED_WITH_KEY } from "~/pieces/messages";
import type { RouteAccess } from "~/platform/http/gate.server";
import { buildConsole } from "../../support/console/console-build";
import { type Input, PlainBrowser } from "../../support/console/plain-browser";
import { findRouteAddresses } from "../../support/console/route-addresses";
import { makeSessionCookie } from "../../support/console/session-cookie";
import { startWholeConsole, type WholeConsole } from "../../support/console/whole-console";
import { makePng } from "../../support/files/sample-pictures";

/**
 * The pages without JavaScript, over HTTP. Scenarios tagged `@plain` show the same in a browser; only these tests
 * post the Builder's form, which the page with JavaScript never posts.
 */
const ANA = "auth-ana";
const SEND = /^Send( test)?$/;
const SEND_LIVE = /^Send LIVE/;
const SEND_TESTED = /^Send tested piece live/;
const UPDATE = "Update without sending";
const ROWS =
  "First name\tLast name\tAddress\tCity\tZIP\tCountry\nAna\tLopez\t1 Main Street\tPortland\t97205\tUS";
const NEW_RECIPIENT = {
  "field.send_to": "new",
  "field.recipient_firstname": "Jane",
  "field.recipient_lastname": "Smith",
  "field.recipient_address1": "12 Elm Street",
  "field.recipient_city": "Portland",
  "field.recipient_state": "OR",
  "field.recipient_postcode": "97205",
  "field.recipient_country": "US",
};
const png = (width = 1_872, height = 1_272, name = "front.png") =>
  new File([Buffer.from(makePng(width, height))], name, { type: "image/png" });

let mailroom: WholeConsole;
let cookie: string;
let page: PlainBrowser;

beforeAll(async () => {
  const PEOPLE_SCOPES = "ana@example.com=*, reader@example.com=read";
  mailroom = await startWholeConsole({ folder: await buildConsole(), variables: { PEOPLE_SCOPES } });
  cookie = await makeSessionCookie("ana", { name: "Ana Ruiz" });
});
beforeEach(() => {
  page = new PlainBrowser(mailroom.origin, cookie);
});
afterAll(async () => {
  await mailroom.close();
  expect(mailroom.errors).toEqual([]);
  expect(mailroom.output.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
});

async function post(path: string, body: object) {
  const reply = await fetch(mailroom.origin + path, {
    method: "POST",
    headers: { Cookie: cookie, "Content-Type": "application/json", Connection: "close" },
    body: JSON.stringify(body),
  });
  return { ...(await reply.json()), ok: reply.ok };
}

async function readCredits(): Promise<{ credits: number; held: number }> {
  const reply = await fetch(`${mailroom.origin}/api/credits?user_id=${ANA}`, {
    headers: { Cookie: cookie, Connection: "close" },
  });
  const { data } = await reply.json();
  return Array.isArray(data) ? data.find(({ id }) => id === ANA) : data;
}

async function setCredits(wanted: number): Promise<void> {
  const { credits } = await readCredits();
  if (credits === wanted) return;
  const action = wanted > credits ? "add" : "deduct";
  const change = { user_id: ANA, action, amount: Math.abs(wanted - credits), description: "set by a test" };
  expect(await post("/api/credits", change)).toMatchObject({ ok: true });
}

const openPostcard = () => page.open("/?preset=postcards.create");
/** A postcard that was not sent before. */
const postcard = (): Record<string, Input> => ({
  "field.template": "21001",
  "field.recipient": "1001",
  "field.message": `Piece ${randomUUID()}`,
});
async function sendLive(inputs = postcard()): Promise<void> {
  await openPostcard();
  await page.press("Live", inputs);
  await page.press(SEND_LIVE);
}
const listAsked = (path = "postcards/create") =>
  mailroom.provider.received.filter((request) => request.path === path);
const countMailed = () => mailroom.provider.pieces.filter((piece) => !piece.test).length;

describe("every page", () => {
  /** The buttons that post forms, each with the address of its page. */
  const buttons = new Map<string, { button: HTMLButtonElement; url: URL }>();
  /** One address per page, by its shape. */
  const opened = new Map<string, string>();

  test("is reachable, and its links work", async () => {
    await setCredits(20);
    const compared = await seed();
    const addresses = findRouteAddresses();
    const pages = Object.entries<RouteAccess>(ACCESS)
      .filter(
        ([, { methods, refusals }]) => methods.GET && methods.GET.rate !== "sign-in" && refusals === "text",
      )
      .map(([id]) => addresses[id] ?? "")
      .filter((address) => !/\*|:file|metrics|logout|well-known|bulk\/:id\/proof/.test(address))
      .sort((one, other) => one.split(":").length - other.split(":").length);
    const findPage = (path: string) =>
      pages.find((address) => new RegExp(`^${address.replace(/:\w+/g, "[^/]+")}$`).test(path));
    // The comparison page needs two responses.
    const waiting = [...pages.filter((address) => !/:|compare/.test(address)), compared];
    const problems: string[] = [];

    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const shape = nameShape(address);
      if (opened.has(shape)) continue;
      opened.set(shape, address);
      await page.open(address);
      if (page.status >= 400) problems.push(`${page.status}: ${address}`);
      for (const link of page.document.querySelectorAll("a")) {
        const url = new URL(link.href, page.url);
        if (url.origin !== mailroom.origin) continue;
        const isHere = url.pathname === page.url.pathname && url.search === page.url.search;
        if (isHere && url.hash && !page.document.getElementById(url.hash.slice(1))) {
          problems.push(`${url.hash} is nowhere on ${address}`);
        }
        // That link and the form behind this one would end the session of the walk.
        const endsSession = url.pathname.startsWith("/api/auth/") || url.searchParams.has("end");
        if (!endsSession) waiting.push(url.pathname + url.search);
      }
      for (const button of page.document.querySelectorAll("button")) {
        const key = nameButton(button);
        if (key !== null && !buttons.has(key)) buttons.set(key, { button, url: page.url });
      }
    }

    const reached = new Set([...opened.values()].map((address) => findPage(address.replace(/\?.*/, ""))));
    expect(pages.filter((address) => !reached.has(address))).toEqual([]);
    expect(problems).toEqual([]);
    expect(buttons.size).toBeGreaterThan(60);
  });

  test("shows a person with read access only the buttons and links that they may use", async () => {
    const reader = new PlainBrowser(mailroom.origin, await makeSessionCookie("reader"));
    const routes = Object.entries(findRouteAddresses())
      .filter(([, route]) => !route.includes("*"))
      .sort(([, one], [, other]) => one.split(":").length - other.split(":").length);
    const findRow = (path: string, method: string) => {
      const [id] = routes.find(([, route]) => matchPath(route, path)) ?? [];
      return (ACCESS as Record<string, RouteAccess>)[id ?? ""]?.methods[method as "GET" | "POST"];
    };
    const problems: string[] = [];
    let pressable = 0;
    for (const address of opened.values()) {
      await reader.open(address);
      const pageScope = findRow(reader.url.pathname, "GET")?.scope ?? "read";
      if (pageScope === "read" ? reader.status >= 400 : reader.status !== 403)
        problems.push(`${reader.status} ${address}`);
      for (const button of reader.document.querySelectorAll("button")) {
        const { form, name, value } = button;
        if (!form || button.type !== "submit") continue;
        const action = button.getAttribute("formaction") ?? form.getAttribute("action") ?? address;
        const method = (button.getAttribute("formmethod") ?? form.method).toUpperCase();
        const intent = /intent|decision/.test(name)
          ? value
          : form.querySelector<HTMLInputElement>("[name=intent]")?.value;
        const row = findRow(new URL(action, reader.url).pathname, method);
        const scope = row?.intents?.[String(intent)] ?? row?.scope ?? "read";
        if (scope !== "read") problems.push(`${scope}: ${button.textContent} on ${address}`);
        pressable++;
      }
      // A refused page offers itself again.
      for (const link of reader.document.querySelectorAll(`a[href^='/']:not([href='${address}'])`)) {
        const { pathname } = new URL(link.getAttribute("href") ?? "", reader.url);
        const { scope = "read" } = findRow(pathname, "GET") ?? {};
        if (scope !== "read") problems.push(`${scope}: ${link.textContent} on ${address}`);
      }
    }
    await reader.open("/?preset=recipients.create");
    expect(reader.has("Load & Send: Create recipient")).toBe(false);
    expect(reader.text("main")).toContain("You do not have the scope send:live. Ask an admin for it.");
    expect(problems).toEqual([]);
    expect(pressable).toBeGreaterThan(60);
  });

  test("has forms whose posts are answered", async () => {
    const problems: string[] = [];
    for (const [key, { button, url }] of buttons) {
      // The page is as in an older tab: an earlier form may have changed its content.
      page.url = url;
      await page.press(button);
      const isRefused = page.status >= 500 || [403, 405, 415].includes(page.status);
      const isExplained = page.status < 400 || page.text("h1, h2, [role=alert]") !== "";
      if (isRefused || !isExplained) problems.push(`${page.status}: ${key} on ${url.pathname}`);
    }
    expect(problems).toEqual([]);
  });

  /** Creates one of everything that has its own page; returns the address that compares two stored responses. */
  async function seed(): Promise<string> {
    const recipient = { firstname: "Jane", lastname: "Walked", address1: "1 Main Street", city: "Portland" };
    const body = {
      size: "4x6",
      template: "21001",
      recipient: { ...recipient, postcode: "97205", country: "US" },
    };
    for (const test of [false, true]) {
      await post("/api/stannp", { path: "postcards/create", method: "POST", body: { ...body, test } });
    }
    await page.open("/users?view=purchase");
    await page.press(/^Buy 100 credits/);
    mailroom.stripe.account.pay(page.document.URL.split("/").at(-1) ?? "");
    await mailroom.stripe.webhooks.settle();
    await page.open("/webhooks");
    await page.press("Create endpoint", { url: "https://hooks.invalid/mailroom" });
    await page.follow(/^https:\/\/hooks\.invalid/);
    await page.press("Send test event");
    await openPostcard();
    await page.press(SEND_TO_LIST, { "field.template": "21001", "field.message": "Hello {firstname}." });
    await page.press("Import", { pasted: "City,city\n1,2" });
    expect(page.value("pasted")).toContain("City,city");
    await page.press("Import", { pasted: ROWS });
    const listStored = async () => {
      await page.open("/stored");
      const links = page.document.querySelectorAll<HTMLAnchorElement>('a[href^="/stored/"]');
      return [
        ...new Set([...links].map((link) => /^\/stored\/(\w{16,})/.exec(link.pathname)?.[1] ?? "")),
      ].filter(Boolean);
    };
    await expect.poll(async () => (await listStored()).length).toBeGreaterThan(1);
    const [first, second] = await listStored();
    return `/stored/compare?a=${first}&b=${second}`;
  }
});

test("an incomplete form says so, and keeps the input", async () => {
  await page.open("/users?view=manage");
  await page.press("Add credits", { amount: "7" });
  expect(page.text("[role=alert]")).toBe("Please fill in all fields");
  expect(page.value("amount")).toBe("7");
});

test("a form posted after the session's end is kept until it is tried again", async () => {
  await openPostcard();
  await page.press(SEND_TO_LIST, { "field.template": "21001", "field.message": "Hello {firstname}." });
  for (const name of page.cookies.names) page.cookies.change(name, () => "");
  await page.press("Import", { pasted: ROWS });
  expect([page.status, page.value("pasted")]).toEqual([401, ROWS]);
  page.cookies.keepLine(cookie);
  await page.press("Try Again");
  expect(page.text()).toContain("Portland");
});

/** A common name for all buttons that post the same form; null for one that posts none, or ends the session. */
function nameButton(button: HTMLButtonElement): string | null {
  const { form, name, value } = button;
  if (!form || button.disabled || button.type !== "submit") return null;
  const action = nameShape(button.getAttribute("formaction") ?? form.action);
  if (action.startsWith("/api/auth")) return null;
  return `${form.method} ${action} ${name}=${value.replace(/\w*\d\w*/g, "1")}`;
}

/** A common address for all pages that differ only in ids and values. */
function nameShape(address: string): string {
  const { pathname, searchParams } = new URL(address, mailroom.origin);
  const names = [...searchParams].map(([name, value]) =>
    /^(type|view)$/.test(name) ? `${name}=${value}` : name,
  );
  return `${pathname.replace(/\/[^/]*\d[^/]*/g, "/1")}?${[...new Set(names)].sort()}`;
}

describe("the Builder's form", () => {
  beforeEach(() => setCredits(5));

  test.each(["postcards.create", "letters.create"])("sends every field of %s", async (id) => {
    const preset = PRESETS.find((known) => known.id === id);
    if (!preset) throw new Error(id);
    const template = findPresetCall(preset, false);
    const draft = openPreset(template);
    const fields = template.fields.filter(
      ({ name, type }) => type !== "file" && !["content", "test", "variables"].includes(name),
    );
    for (const field of fields) draft.values[field.name] = chooseValue(field);
    draft.values.send_to = "new";
    await page.open(`/?preset=${id}`);
    const inputs = fields.map(({ name, type }) => [
      `field.${name}`,
      type === "boolean" ? true : draft.values[name],
    ]);
    await page.press(SEND, { ...Object.fromEntries(inputs), "field.send_to": "new" });
    expect(page.text()).toContain("200 OK");
    expect(listAsked(template.path).at(-1)?.body).toEqual(buildRequest(draft, template).body);
  });

  function chooseValue({ name, type, options = [] }: FormField): string {
    if (type === "select" || type === "several" || type === "choice") return options[1] ?? options[0] ?? "";
    if (type === "boolean") return "true";
    if (type === "number") return "2";
    return { template: "21001", recipient_email: "jane@example.com" }[name] ?? `${name} Ünï`;
  }

  test("says what is wrong, keeps the input and sends nothing", async () => {
    const before = mailroom.provider.received.length;
    await page.open("/?preset=recipients.create");
    const body = '{\n  "firstname": "Ana"\n  "city": "Leeds"\n}';
    await page.press(UPDATE, { body });
    expect(page.text("[role=alert]")).toContain("Line 3, column 3: a comma is missing.");
    expect(page.value("body")).toBe(body);
    expect(page.has(SEND)).toBe(false);
    await page.open("/?preset=recipients.list");
    await page.press(SEND, { path: "" });
    expect(page.text("[role=alert]")).toContain("The path is empty.");
    await page.open("/?preset=recipients.delete");
    await page.press(SEND);
    expect(page.text("[role=alert]")).toContain("is required");
    expect(mailroom.provider.received).toHaveLength(before);
  });

  test("keeps its input after the session's end", async () => {
    await page.open("/?preset=recipients.list");
    const before = mailroom.provider.received.length;
    for (const name of page.cookies.names) page.cookies.change(name, () => "");
    await page.press(SEND, { "field.limit": "17" });
    expect(page.text("[role=alert]")).toContain("You are logged out");
    expect(page.value("field.limit")).toBe("17");
    expect(mailroom.provider.received).toHaveLength(before);
  });

  test("loads and sends another preset, adds .json, and shows code in another language", async () => {
    await page.open("/?preset=recipients.create");
    await page.press("Load & Send: List templates");
    expect(page.text()).toContain("200 OK");
    expect(page.value("path")).toBe("templates/list");
    await page.open("/?preset=account.balance");
    await page.press(SEND, { base: "Dash", "query.name": "trace", "query.value": "a b&c" });
    const sent = mailroom.provider.received.at(-1);
    expect(sent).toMatchObject({
      prefix: "/api/v1",
      path: "account/balance.json",
      query: [["trace", "a b&c"]],
    });
    await page.open("/?preset=recipients.list");
    await page.press("Show code", { code_language: "python" });
    expect(page.text("textarea")).toMatch(/requests\.request\([\s\S]*recipients\/list[\s\S]*STANNP_API_KEY/);
  });

  test("takes a pasted curl command without its key", async () => {
    await page.open("/");
    await page.press("Fill the builder", { curl: "wget https://example.com" });
    expect(page.text("[role=alert]")).toContain(CURL_PROBLEMS.notCurl);
    const curl = `curl ${mailroom.provider.origin}/global/v1/recipients/list -u key-0815: -G -d limit=3`;
    await page.press("Fill the builder", { curl });
    expect(page.text()).toContain(formatKeyDropped(["-u"]));
    expect([page.value("field.limit"), page.value("base")]).toEqual(["3", "Global"]);
    expect(page.text("html")).not.toContain("key-0815");
  });

  test("keeps a file across posts, until it is removed or another one is refused", async () => {
    await openPostcard();
    await page.press(SEND, { ...postcard(), "field.front": png() });
    const front = Buffer.from(makePng(1_872, 1_272)).toString("base64");
    expect(listAsked().at(-1)?.body).toMatchObject({ front });
    await page.press(UPDATE);
    expect(page.text("noscript")).toContain(formatKeptFile("front.png"));
    await page.press("Remove front.png");
    expect(page.has("Remove front.png")).toBe(false);
    for (const file of [png(3_001, 2_999), new File([], "empty.png"), new File(["<html>"], "bad.png")]) {
      await page.press(UPDATE, { "field.front": png() });
      expect(page.has("Remove front.png")).toBe(true);
      await page.press(UPDATE, { "field.front": file });
      expect(page.text("#field-front-error")).toContain(file.name);
      expect(page.has(/^Remove/)).toBe(false);
    }
  });

  test("follows its fields again after a body typed by hand", async () => {
    await openPostcard();
    await page.press(UPDATE, { body: '{"size":"6x9","test":true,"template":"1","recipient":"1001"}' });
    await page.press("Use the form again", postcard());
    expect(page.text("[aria-label=Readiness]")).toContain("Ready to create postcard!");
    expect(JSON.parse(page.value("body"))).toMatchObject({ size: "4x6", template: "21001" });
  });

  test("sends no live mail in test mode, for any address and body", async () => {
    const before = mailroom.provider.received.length;
    await page.open("/?preset=recipients.update");
    const body = '{"size":"4x6","template":"21001","recipient":1001}';
    await page.press(SEND, { path: "postcards/{id}", "field.id": "create", body });
    expect(page.text("[role=alert]")).toContain(BLOCKED_IN_TEST);
    await openPostcard();
    await page.press(SEND, { body: body.replace("{", '{"test":"no",') });
    expect(page.text("[role=alert]")).toContain(BLOCKED_IN_TEST);
    expect(page.has(SEND)).toBe(false);
    expect(mailroom.provider.received).toHaveLength(before);
    await page.press("Switch to Live");
    await page.press(SEND_LIVE);
    expect(page.text()).toContain("1 credit charged. Balance 4.");
  });

  test("sends live once for any number of posts, and not after live mode ended", async () => {
    await openPostcard();
    await page.press("Live", postcard());
    const mailed = countMailed();
    const button = page.button(SEND_LIVE);
    await page.press(button);
    expect(page.text()).toContain("1 credit charged. Balance 4.");
    await page.press(button);
    expect(page.text()).toContain(RETRIED_WITH_KEY);
    expect(countMailed()).toBe(mailed + 1);
    await page.press(SEND_LIVE, { "field.recipient": "1003" });
    expect(page.text()).toContain("1 credit charged. Balance 3.");
    await page.press(SEND_LIVE);
    expect(page.text()).toContain(RETRIED_WITH_KEY);
    expect(countMailed()).toBe(mailed + 2);
    await openPostcard();
    await page.press("Live", postcard());
    await page.press(SEND_LIVE, { live_until: String(Date.now() - 1) });
    expect(page.text()).toContain(MODE_MESSAGES.ended);
    expect(page.has(SEND_LIVE)).toBe(false);
    expect(countMailed()).toBe(mailed + 2);
    expect(await readCredits()).toMatchObject({ credits: 3, held: 0 });
  });

  test("sends again after a refusal, and shows an unknown outcome", async () => {
    await sendLive({ ...postcard(), "field.recipient": "99999999" });
    expect(page.text("[role=alert]")).toContain("Recipient not found");
    const before = listAsked().length;
    await page.press(SEND_LIVE);
    expect(listAsked()).toHaveLength(before + 1);
    expect(await readCredits()).toMatchObject({ credits: 5, held: 0 });
    const fault = mailroom.provider.fail({ kind: "reset-after", path: "postcards/create", times: "always" });
    await sendLive();
    expect(page.text()).toContain(MAY_BE_ACCEPTED);
    fault.release();
    await expect.poll(readCredits).toMatchObject({ credits: 4, held: 0 });
  });

  test("refuses a duplicate until it is confirmed, tested or not", async () => {
    const inputs = postcard();
    await sendLive(inputs);
    const mailed = countMailed();
    await sendLive(inputs);
    expect(page.text("[role=alert]")).toContain("sent this postcard to this address");
    expect(countMailed()).toBe(mailed);
    await page.press(/^Send anyway: postcard 4x6/);
    expect(countMailed()).toBe(mailed + 1);
    await openPostcard();
    await page.press(SEND, inputs);
    await page.press(SEND_TESTED);
    expect(page.text("[role=alert]")).toContain("sent this postcard to this address");
    expect(page.has(SEND_TESTED)).toBe(false);
    await page.press(/^Send anyway: postcard 4x6/);
    expect(countMailed()).toBe(mailed + 2);
    expect(await readCredits()).toMatchObject({ credits: 2, held: 0 });
  });

  test("sends a piece with a ruinous fault only after a person allowed that fault", async () => {
    const faulty = { ...postcard(), ...NEW_RECIPIENT, "field.recipient_address1": "No fixed abode" };
    const mailed = countMailed();
    for (const [first, send] of [
      ["Live", SEND_LIVE],
      [SEND, SEND_TESTED],
    ] as const) {
      await openPostcard();
      await page.press(first, { ...faulty, "field.message": `By ${first}` });
      await page.press(send);
      expect(page.text("[role=alert]")).toContain(FAULT_NOT_ALLOWED);
      await page.press(send, { allowed_faults: "another fault" });
      expect(page.text("[role=alert]")).toContain(FAULT_NOT_ALLOWED);
      await page.press(send, { allowed_faults: true });
    }
    expect(countMailed()).toBe(mailed + 2);
  });

  test("redirects to the payment and back to the same draft", async () => {
    await openPostcard();
    const inputs: Record<string, Input> = { ...postcard(), "field.front": png() };
    await page.press(SEND, inputs);
    await setCredits(0);
    await page.press(SEND_TESTED);
    expect(page.text("[role=alert]")).toContain("Not enough credits");
    await page.press("Buy 100 credits for $9.99");
    expect(page.url.pathname).toBe("/users");
    await page.press("Buy 100 credits for $9.99");
    const paid = await fetch(page.document.URL, {
      method: "POST",
      body: new URLSearchParams({ action: "pay" }),
      redirect: "manual",
    });
    await page.open(paid.headers.get("Location") ?? "");
    expect(page.value("field.message")).toBe(inputs["field.message"]);
    expect(page.has("Remove front.png")).toBe(true);
    await page.press(SEND_TESTED);
    expect(page.text()).toContain("1 credit charged. Balance 99.");
  });

  test("tests with a sample recipient when no recipients can be loaded, and never sends it live", async () => {
    for (const kind of ["refuse200", "unreadable"] as const) {
      mailroom.provider.fail({ kind, path: "recipients/list" });
      await openPostcard();
      await page.press("Load recipients");
      expect(page.text()).toContain("Could not load recipients: Failed to");
      expect(page.text()).toContain(formatFallbackUsed("1001"));
    }
    await page.press(SEND, { "field.template": "21001" });
    expect(page.text()).toContain(FALLBACK_TESTED);
    expect(page.has(SEND_TESTED)).toBe(false);
    await page.press("Live");
    expect(page.value("field.recipient")).toBe("");
    mailroom.provider.fail({ kind: "status", status: 500, path: "recipients/list" });
    await openPostcard();
    await page.press("Load recipients");
    await page.press("Retry", { "field.recipient": "1002" });
    expect(page.value("field.recipient")).toBe("1002");
    expect(page.text()).toContain("Zoë Müller, ");
    expect(page.text("#recipient-options option[value='1001']")).toContain("Amelia");
  });

  test("takes a template from the provider's list, after a failed attempt", async () => {
    mailroom.provider.fail({ kind: "status", status: 500, path: "templates/list" });
    await openPostcard();
    await page.press("Browse templates", { "field.size": "6x9" });
    expect(page.text()).toContain(formatTemplatesFailed(TEMPLATE_FAILURES.fetch));
    await page.press("Browse templates");
    await page.press(/^Welcome aboard/);
    expect([page.value("field.template"), page.value("field.size")]).toEqual(["21002", "6x9"]);
  });

  test("checks an address, fills in the correction, and records the check on the piece's page", async () => {
    await openPostcard();
    const start = { "field.template": "21001", "field.message": "Dear Jane" };
    await page.press("Check address", {
      ...start,
      ...NEW_RECIPIENT,
      "field.recipient_address1": "12 Elm St",
    });
    expect(page.text("#address-check")).toContain(ADDRESS_WORDS.corrected);
    await page.press("Use this address");
    expect(page.value("field.recipient_address1")).toBe("12 Elm Street");
    expect(page.value("field.message")).toBe("Dear Jane");
    await page.press(UPDATE, { "field.recipient_city": "Salem" });
    expect(page.text("#address-check")).toContain(ADDRESS_CHANGED);
    mailroom.provider.fail({ kind: "status", status: 500, path: "addresses/validate" });
    await page.press("Check address");
    expect(page.text("#address-check")).toContain("Cannot be checked");
    await page.press("Check address", { "field.recipient_country": "FR" });
    expect(page.text("#address-check")).toContain(formatUncheckedCountry("FR"));

    await openPostcard();
    const nowhere = { ...start, ...NEW_RECIPIENT, "field.recipient_address1": "1 Nowhere Lane" };
    await page.press("Check address", nowhere);
    await page.press("Live");
    await page.press(SEND_LIVE);
    await page.follow("View piece");
    expect(page.text()).toContain("Address not found by the provider");
  });

  test("is stored as a template of the team, without its recipient, for a piece or a list", async () => {
    const name = `Card ${randomUUID()}`;
    await openPostcard();
    await page.press(KEEP_AS_TEMPLATE, { ...postcard(), ...NEW_RECIPIENT, template_name: " " });
    expect(page.text("[role=alert]")).toContain("a name of at most 80 characters");
    await page.press(KEEP_AS_TEMPLATE, { template_name: name, "field.front": png() });
    expect(page.value("field.recipient_firstname")).toBe("Jane");
    await openPostcard();
    await page.press(KEEP_AS_TEMPLATE, { ...postcard(), template_name: name });
    expect(page.text("[role=alert]")).toContain(`another template named "${name}"`);
    await page.open("/");
    await page.follow(new RegExp(name));
    expect(page.text()).toContain("front.png");
    expect(page.value("field.template")).toBe("21001");
    expect([page.value("field.recipient"), page.value("field.recipient_firstname")]).toEqual(["", ""]);
    await page.press(KEEP_AS_TEMPLATE, { "field.message": "Changed" });
    await page.open("/bulk");
    await page.follow(new RegExp(name));
    expect(page.value("field.message")).toBe("Changed");
    const { url } = page;
    await page.press(SEND_TO_LIST);
    expect(page.url.pathname).toMatch(/^\/bulk\/./);
    await page.open(url.href);
    await page.press("Delete template", { team_template_saved_at: new Date(0).toISOString() });
    expect(page.text("[role=alert]")).toContain("Another person changed or deleted this template.");
    await page.press(KEEP_AS_TEMPLATE, { "field.message": "Over it" });
    expect(page.text("[role=alert]")).toContain("another person changed it");
    await page.open(url.href);
    await page.press("Delete template");
    await page.open(url.href);
    expect(page.text()).toContain("This template was deleted.");
  });

  test("has an answer of which a copy with tags can be stored", async () => {
    await page.open("/?preset=account.balance");
    await page.press(SEND);
    await page.press("Save Additional Copy", { tags: "keep me, for later" });
    expect(page.text("h1")).toContain("account/balance");
    expect(page.text()).toContain("for later");
  });
});
