import { afterEach, expect, test, vi } from "vitest";
import { listChapters } from "~/api/chapters.server";
import { DAY_MS } from "~/platform/time";
import { findTargetProblem, formatAddress } from "~/webhooks/endpoint-record.server";
import { PROBLEMS } from "~/webhooks/messages";
import { chooseRetryWait, HOW_OFTEN_TRIED, RETRY_WAITS_MS } from "~/webhooks/retry-schedule";
import { makeSecret, signMessage } from "~/webhooks/sign.server";

afterEach(() => vi.unstubAllEnvs());

test("the code in the API reference verifies a message, but no changed or old one", async () => {
  vi.stubEnv("SESSION_SECRET", "webhook-test");
  const code = listChapters()
    .flatMap(({ folds = [] }) => folds)
    .find(({ title }) => title === "JavaScript");
  const { verify } = await import(`data:text/javascript,${encodeURIComponent(code?.code ?? "")}`);
  const [now, before] = [makeSecret(), makeSecret()];
  const body = JSON.stringify({ type: "piece.accepted", data: { id: "ä" } });
  const headers = signMessage("msg_1", body, [now, before], new Date());
  for (const secret of [now, before]) expect(verify(headers, body, secret)).toEqual(JSON.parse(body));
  expect(() => verify(headers, body, makeSecret())).toThrow("wrong signature");
  expect(() => verify(headers, body.replace("accepted", "refused"), now)).toThrow("wrong signature");
  const old = signMessage("msg_1", body, [now], new Date(Date.now() - 600_000));
  expect(() => verify(old, body, now)).toThrow("too old");
});

test("a message is attempted ten times within three days, later when the receiver requests it", () => {
  const sum = RETRY_WAITS_MS.reduce((all, wait) => all + wait, 0);
  expect(RETRY_WAITS_MS).toHaveLength(9);
  expect(HOW_OFTEN_TRIED).toBe("10 times in 3 days");
  expect(sum / DAY_MS).toBeGreaterThan(2.9);
  expect(sum / DAY_MS).toBeLessThanOrEqual(3);
  expect(chooseRetryWait(1, null)).toBe(5_000);
  expect(chooseRetryWait(1, 120)).toBe(120_000);
  expect(chooseRetryWait(1, 99_999_999)).toBe(DAY_MS);
  expect(chooseRetryWait(10, 120)).toBeNull();
});

test.each([
  "https://hooks.example.com/mailroom?key=1",
  "https://8.8.8.8/x",
  "https://[2606:4700::6810:1]:8443/",
])("%s may be an endpoint", (address) => {
  expect(findTargetProblem(address)).toBeNull();
});

test.each([
  ["", PROBLEMS.url],
  ["hooks.example.com", PROBLEMS.url],
  ["http://hooks.example.com/", PROBLEMS.url],
  ["ftp://hooks.example.com/", PROBLEMS.url],
  ["https://me:secret@hooks.example.com/", PROBLEMS.urlParts],
  ["https://hooks.example.com/#part", PROBLEMS.urlParts],
  ["https://localhost/", PROBLEMS.urlPrivate],
  ["https://mailroom/", PROBLEMS.urlPrivate],
  ["https://db.internal./", PROBLEMS.urlPrivate],
  ["https://127.0.0.1/", PROBLEMS.urlPrivate],
  ["https://0x7f.1/", PROBLEMS.urlPrivate],
  ["https://[::ffff:10.0.0.1]/", PROBLEMS.urlPrivate],
])("%s may not", (address, problem) => {
  expect(findTargetProblem(address)).toBe(problem);
});

test("the query of an address is not shown", () => {
  expect(formatAddress("https://hooks.example.com/a?token=secret")).toBe("https://hooks.example.com/a?…");
  expect(formatAddress("https://hooks.example.com/a")).toBe("https://hooks.example.com/a");
});
