import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { getUnanswered, getWaiting, makePageFetch, sendWaitingNow } from "~/ui/page-fetch";

const browser = { onLine: true };

beforeEach(() => {
  vi.useFakeTimers();
  browser.onLine = true;
  vi.stubGlobal("navigator", browser);
  vi.stubGlobal("window", { location: { pathname: "/mail" } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const busy = (status: number, headers: Record<string, string> = { "Retry-After": "3" }) =>
  new Response("Too many", { status, headers });
const page = (text = "done", status = 200) =>
  new Response(text, { status, headers: { "X-Remix-Response": "yes" } });
const LOST = new TypeError("Failed to fetch");

/** A page's `fetch` that returns these answers and records its calls. */
function startFetch(...answers: (Response | TypeError)[]) {
  const calls: unknown[] = [];
  const pageFetch = makePageFetch(async (_input, init) => {
    calls.push(init?.body);
    const answer = answers[calls.length - 1] ?? page("late");
    if (answer instanceof TypeError) throw answer;
    return answer;
  });
  return { pageFetch, calls };
}

test.each([429, 503])(
  "a page's data that is refused with %s is requested again after the wait",
  async (status) => {
    const { pageFetch, calls } = startFetch(busy(status), busy(status), page());
    const answer = pageFetch("/mail.data?q=a", { method: "POST", body: "name=Ana" });
    await vi.advanceTimersByTimeAsync(2_900);
    expect(calls).toHaveLength(1);
    expect(getWaiting()).toMatchObject({ busy: true, until: Date.now() + 100 });
    await vi.advanceTimersByTimeAsync(3_100);
    expect(await (await answer).text()).toBe("done");
    expect(calls).toEqual(["name=Ana", "name=Ana", "name=Ana"]);
    expect(getWaiting()).toBeNull();
  },
);

test("it is requested at once on demand, and not at all when the page is left", async () => {
  const { pageFetch, calls } = startFetch(busy(429, { "Retry-After": "999" }), busy(429));
  const left = new AbortController();
  const answer = pageFetch("/mail.data", { signal: left.signal });
  await vi.advanceTimersByTimeAsync(0);
  expect(getWaiting()?.until).toBe(Date.now() + 60_000);
  sendWaitingNow();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toHaveLength(2);
  left.abort(new Error("left"));
  await expect(answer).rejects.toThrow("left");
  expect(getWaiting()).toBeNull();
});

test.each([
  ["an answer of the route itself", "/mail.data", page("Busy", 503)],
  ["what is no page's data", "/api/stannp", busy(429)],
])("%s is passed on", async (_what, address, first) => {
  const { pageFetch } = startFetch(first);
  expect(await pageFetch(address)).toBe(first);
});

test("the page's lost data is loaded again automatically", async () => {
  const { pageFetch, calls } = startFetch(LOST, new Response("<p>Gateway", { status: 502 }), page());
  const answer = pageFetch("/mail.data?q=a");
  await vi.advanceTimersByTimeAsync(0);
  expect(getWaiting()).toMatchObject({ busy: false, answer: null });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(getWaiting()).toMatchObject({ answer: { status: 502, text: "<p>Gateway" } });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await (await answer).text()).toBe("done");
  expect(calls).toHaveLength(3);
});

test("another page is opened on demand only", async () => {
  const { pageFetch, calls } = startFetch(LOST, page());
  const answer = pageFetch("/users.data");
  await vi.advanceTimersByTimeAsync(600_000);
  expect(calls).toHaveLength(1);
  expect(getWaiting()).toMatchObject({ until: null });
  sendWaitingNow();
  expect(await (await answer).text()).toBe("done");
});

test.each([
  ["posted offline", false, LOST, true],
  ["lost on its way, or with its answer", true, LOST, false],
  ["answered by a proxy", true, new Response("<p>Gateway", { status: 502 }), false],
  ["refused by the gate", true, new Response("Too large", { status: 413 }), true],
])("a form that is %s is not sent again", async (_what, online, first, unchanged) => {
  browser.onLine = online;
  const { pageFetch, calls } = startFetch(first);
  const body = new URLSearchParams({ intent: "cancel" });
  const answer = await pageFetch("/mail.data", { method: "POST", body });
  await vi.advanceTimersByTimeAsync(600_000);
  expect(calls).toHaveLength(1);
  expect(answer.status).toBe(503);
  expect(getUnanswered()).toMatchObject({ intent: "cancel", unchanged });
  await pageFetch("/mail.data");
  expect(getUnanswered()).not.toBeNull();
  await pageFetch("/users.data");
  expect(getUnanswered()).toBeNull();
});

test("lost data of a page that was left is not reported", async () => {
  const left = new AbortController();
  const { pageFetch } = startFetch(LOST);
  left.abort();
  await expect(pageFetch("/mail.data", { signal: left.signal })).rejects.toBe(LOST);
  expect(getWaiting()).toBeNull();
});
