import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type MailProvider, startMailProvider } from "../../emulators/mail-provider";
import { parseSavedBehaviour } from "../../emulators/mail-provider/faults/behaviour";
import type { FaultRule } from "../../emulators/mail-provider/faults/fault-rule";
import { runToEnd } from "../../support/child-steps";
import { loadEnvironment } from "../../support/console/environment";

/** `npm run verify-provider` against providers that each differ from its reference in one fact. */

const KEY = "emulator-key-0000000000000001";

let provider: MailProvider;
beforeAll(async () => {
  provider = await startMailProvider({ apiKey: KEY });
  await loadEnvironment({ STANNP_API_KEY: KEY, STANNP_BASE_URLS: `US=${provider.baseUrl}` });
});
beforeEach(async () => {
  provider.reset();
  const { resetPaces } = await import("~/outside/mail-provider/call/pace.server");
  resetPaces();
});
afterAll(() => provider.close());

/** The facts by verdict. */
async function verify() {
  const { verifyFacts } = await import("~/outside/mail-provider/facts.server");
  const checked = await verifyFacts({ label: "US", url: provider.baseUrl });
  if (!checked.ok) throw new Error(checked.failure.message);
  const list = (verdict: string) =>
    checked.value.filter((one) => one.verdict === verdict).map(({ id, seen }) => `${id}: ${seen}`);
  return {
    differs: list("differs"),
    holds: list("holds"),
    untested: list("untested"),
    unasked: list("unasked"),
  };
}

const liveCalls = () => provider.pieces.filter((piece) => !piece.test).length;
const respond = (path: string, body: object, status = 200): FaultRule => ({
  ...{ kind: "respond", path, status, times: "always" },
  body: JSON.stringify(body),
});
const data = (value: unknown) => ({ success: true, data: value });
const refused = (error?: string) => ({ success: false, error });
/** Lets this many calls pass before the next rule applies. */
const pass = (path: string, times: number): FaultRule => ({ kind: "slow", delayMs: 0, path, times });
const REPORT = "reporting/list/.*";
const SAMPLE = {
  id: 0,
  status: "test",
  cost: "0.99",
  created: new Date().toISOString(),
  pdf: "https://example.com/a.pdf",
};
const CREATE = "postcards/create";

test("the reference: all facts hold, within 40 calls, none of which is live", async () => {
  const { differs, unasked, holds, untested } = await verify();
  expect([differs, unasked]).toEqual([[], []]);
  expect(holds).toHaveLength(31);
  expect(untested.map((line) => line.split(":")[0])).toEqual(
    expect.arrayContaining(["our-tag", "large-body"]),
  );
  expect(liveCalls()).toBe(0);
  expect(provider.received.length).toBeLessThanOrEqual(40);
  const creates = provider.received.filter(
    ({ method, path }) => method === "POST" && /create|new|post$/.test(path),
  );
  expect(creates.map(({ body }) => body?.test)).toEqual([true, true, true, "1", true, true, true]);
});

const DIFFERENCES: [fact: string, plant: FaultRule[] | Parameters<MailProvider["behave"]>[0]][] = [
  ["no-key: 200", [pass("users/me", 1), respond("users/me", data({}))]],
  ["unknown-path: 200", [respond("mailroom/no-such-path", refused("No such path"))]],
  ["sample-status: preview", [respond(CREATE, data({ ...SAMPLE, status: "preview" }))]],
  ["sample-id: 77", { sampleId: "77" }],
  ["sample-form: refused (400)", [pass(CREATE, 3), respond(CREATE, refused("Not a form"), 400)]],
  ["replay: 200, the same answer", { replay: "200, the same answer" }],
  ["used-key: test", { replay: "200, another answer" }],
  [
    "test-price: 0.8600, or other mail was sent",
    [pass("accounts/balance", 1), respond("accounts/balance", data({ balance: "2417.8000" }))],
  ],
  ["currency: eur", [respond("accounts/balance", data({ balance: "1.00", currency: "EUR" }))]],
  [
    "letter-time: 1.0 h from now",
    [respond("letters/create", data({ ...SAMPLE, created: new Date(Date.now() + 3_600_000).toISOString() }))],
  ],
  ["pdf: no PDF", [{ kind: "status", status: 404, path: "storage/get/.*", times: "always" }]],
  ["reset-header: negative", { resetHeader: "negative" }],
  ["list: refused (404)", [respond(REPORT, refused("No report"), 404)]],
  ["our-tag: cut or moved", [respond(REPORT, data([{ id: 1, tags: "a,mailroom-0123456789" }]))]],
  ["list-offset: the first piece again", [respond(REPORT, data([{ id: 1 }, { id: 2 }]))]],
  ["list-end: 404", { listEnd: "404" }],
  ["recipients: no envelope (500)", [{ kind: "html", status: 500, path: "recipients/list" }]],
];

test.each(DIFFERENCES)("%s is found, only by tests", async (line, plant) => {
  if (Array.isArray(plant)) for (const rule of plant) provider.fail(rule);
  else provider.behave(plant);
  expect((await verify()).differs).toContain(line);
  expect(liveCalls()).toBe(0);
});

test.each([
  ["a form", [pass(CREATE, 3), { kind: "answer-live", path: CREATE }], "sample-form: success (200)"],
  ["JSON", [{ kind: "answer-live", path: CREATE }], "sample-status: received"],
] as [string, FaultRule[], string][])(
  "a test by %s that is mailed is cancelled, and ends the run",
  async (_, plant, line) => {
    for (const rule of plant) provider.fail(rule);
    const { differs, unasked } = await verify();
    expect(differs).toContain(line);
    expect(unasked.join()).toMatch(/accepted as real mail, as postcard \d+\. It was cancelled\./);
    expect(provider.pieces.filter((piece) => !piece.test).map(({ status }) => status)).toEqual(["cancelled"]);
    expect(provider.received.at(-1)?.path).toBe("postcards/cancel");
  },
);

test("a missing answer is not a difference, and a used-up rate limit ends the run", async () => {
  provider.fail({ kind: "reset-before", path: "groups/list" });
  expect(await verify()).toMatchObject({
    differs: [],
    unasked: [expect.stringMatching(/^groups: The connection/)],
  });
  provider.received.length = 0;
  provider.fail({ kind: "rate-limit", path: "accounts/balance" });
  expect((await verify()).unasked.length).toBeGreaterThan(20);
  expect(provider.received).toHaveLength(2);
});

describe("npm run verify-provider", () => {
  const run = (words: string[] = [], variables: Record<string, string> = {}) =>
    runToEnd("prisma/verify-provider.ts", words, {
      ...{ STANNP_API_KEY: KEY, STANNP_BASE_URLS: `US=${provider.baseUrl}`, STANNP_CURRENCY: "USD" },
      ...variables,
    });

  test("prints a line for each fact, and saves the facts that the emulator reads", async () => {
    const folder = await mkdtemp(join(tmpdir(), "mailroom-verify-provider-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "account.json");
    const { code, output } = await run(["--save", file]);
    expect(output).toMatch(/^holds +replay +The same request with its key gets 409 and the first answer\.$/m);
    expect(output).toMatch(/^untested +webhook .* It takes real mail\.$/m);
    expect([code, output.includes(KEY)]).toEqual([0, false]);
    const saved = await readFile(file, "utf8");
    expect(saved).not.toMatch(/emulator-key|example\.com|Okafor|Maren|16\d{6}/);
    expect(parseSavedBehaviour(saved)).toEqual({
      ...{ replay: "409, the same answer", sampleId: "0", listEnd: "empty", resetHeader: "seconds" },
    });
  });

  test.each<[string, number, string[], Record<string, string>, RegExp]>([
    ["1: a difference", 1, [], {}, /^DIFFERS +sample-id .* Expected: 0\. Seen: 5\.$/m],
    ["2: a refused key", 2, [], { STANNP_API_KEY: "another" }, /refuses this key \(401\)/],
    ["2: an unknown option", 2, ["--live"], {}, /not asked.*--live/],
  ])("exit code %s", async (_, code, words, variables, line) => {
    if (code === 1) provider.behave({ sampleId: "5" });
    const ended = await run(words, variables);
    expect(ended).toMatchObject({ code, output: expect.stringMatching(line) });
    expect(ended.output).not.toMatch(/\n\s+at /);
  });
});
