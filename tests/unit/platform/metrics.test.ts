import { expect, test } from "vitest";
import {
  countProviderCall,
  countRequest,
  formatMetrics,
  measureProcess,
  type RoomGauge,
} from "~/platform/metrics.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";

async function scrape(gauges: RoomGauge[] = []): Promise<string[]> {
  return (await formatMetrics(gauges)).text.split("\n");
}

test("requests are counted by route, method and class of status", async () => {
  countRequest("routes/mail", "GET", 200, 12);
  countRequest("routes/mail", "GET", 204, 12);
  countRequest(null, "BREW", 404, 1);
  countRequest("routes/api.stannp", "POST", 429, 1);
  const name = "mailroom_http_request_duration_seconds_count";
  const lines = await scrape();
  expect(lines).toContain(`${name}{route="routes/mail",method="GET",status="2xx"} 2`);
  expect(lines).toContain(`${name}{route="none",method="other",status="4xx"} 1`);
  expect(lines).toContain(`${name}{route="routes/api.stannp",method="POST",status="429"} 1`);
});

test("provider calls are counted by outcome", async () => {
  countProviderCall(200, 30);
  countProviderCall("timeout", 60_000);
  const name = "mailroom_provider_call_duration_seconds_count";
  const lines = await scrape();
  expect(lines).toContain(`${name}{outcome="2xx"} 1`);
  expect(lines).toContain(`${name}{outcome="timeout"} 1`);
});

test("the process's own metrics include the delay of the event loop", async () => {
  measureProcess();
  const text = (await scrape()).join("\n");
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  expect(text).toMatch(/^process_resident_memory_bytes /m);
});

test("a room's gauge is read at each scrape, without its earlier samples, also beside one that throws", async () => {
  let answer: Outcome<{ value: number; labels: { state: string } }[]> = succeed([
    { value: 3, labels: { state: "held" } },
    { value: 1, labels: { state: "unknown" } },
  ]);
  const gauge: RoomGauge = {
    name: "mailroom_test_holds",
    help: "For this test",
    labels: ["state"],
    read: async () => answer,
  };
  expect(await scrape([gauge])).toContain('mailroom_test_holds{state="unknown"} 1');

  answer = succeed([{ value: 2, labels: { state: "held" } }]);
  const second = await scrape([gauge]);
  expect(second).toContain('mailroom_test_holds{state="held"} 2');
  expect(second.join("\n")).not.toContain('state="unknown"');

  answer = fail("database_unavailable", "The database does not answer.");
  const third = await scrape([gauge]);
  expect(third.filter((line) => line.startsWith("mailroom_test_holds"))).toEqual([]);
  expect(third).toContain('mailroom_gauge_unavailable{gauge="mailroom_test_holds"} 1');

  const broken: RoomGauge = {
    ...gauge,
    name: "mailroom_test_broken",
    read: () => Promise.reject(new Error()),
  };
  answer = succeed([{ value: 7, labels: { state: "held" } }]);
  expect(await scrape([broken, gauge])).toContain('mailroom_test_holds{state="held"} 7');
});
