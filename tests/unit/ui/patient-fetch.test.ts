import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { getWaiting, makePatient, sendWaitingNow } from "~/ui/patient-fetch";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const busy = (status: number, headers: Record<string, string> = { "Retry-After": "3" }) =>
  new Response("Too many", { status, headers });

/** A patient `fetch` that gets these answers, and what it was asked with. */
function startFetch(...answers: Response[]) {
  const asked: unknown[] = [];
  const patient = makePatient(async (_input, init) => {
    asked.push(init?.body);
    return answers[asked.length - 1] ?? new Response("late");
  });
  return { patient, asked };
}

test.each([429, 503])(
  "a page's data that is refused with %s is asked for again after the wait",
  async (status) => {
    const { patient, asked } = startFetch(busy(status), busy(status), new Response("done"));
    const answer = patient("/mail.data?q=a", { method: "POST", body: "name=Ana" });
    await vi.advanceTimersByTimeAsync(2_900);
    expect(asked).toHaveLength(1);
    expect(getWaiting()?.until).toBe(Date.now() + 100);
    await vi.advanceTimersByTimeAsync(3_100);
    expect(await (await answer).text()).toBe("done");
    expect(asked).toEqual(["name=Ana", "name=Ana", "name=Ana"]);
    expect(getWaiting()).toBeNull();
  },
);

test("it is sent at once on request, and not at all when the page is left", async () => {
  const { patient, asked } = startFetch(busy(429, { "Retry-After": "999" }), busy(429));
  const page = new AbortController();
  const answer = patient("/mail.data", { signal: page.signal });
  await vi.advanceTimersByTimeAsync(0);
  expect(getWaiting()?.until).toBe(Date.now() + 60_000);
  sendWaitingNow();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveLength(2);
  page.abort(new Error("left"));
  await expect(answer).rejects.toThrow("left");
  expect(getWaiting()).toBeNull();
});

test.each([
  [
    "an answer of the route itself",
    "/mail.data",
    busy(503, { "Retry-After": "3", "X-Remix-Response": "yes" }),
  ],
  ["one that names no wait", "/mail.data", busy(503, {})],
  ["what is no page's data", "/api/stannp", busy(429)],
  ["a success", "/mail.data", new Response("done")],
])("%s is passed on", async (_what, address, first) => {
  const { patient } = startFetch(first);
  expect(await patient(address)).toBe(first);
});
