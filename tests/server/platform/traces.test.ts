import { createServer } from "node:http";
import { afterAll, expect, test } from "vitest";
import { listen } from "../../emulators/listen";
import { setUpBench } from "../../support/fixtures";
import { askForMail } from "../../support/money/calls";
import { newOrder } from "../../support/money/lone-sends";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

const bench = await setUpBench();
const taken: string[] = [];
const collector = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  if (request.url === "/v1/traces") taken.push(text);
  response.setHeader("Content-Type", "application/json").end("{}");
});
const { port, close } = await listen(collector);
afterAll(close);

const listSpans = (): Span[] =>
  taken.flatMap((text) =>
    JSON.parse(text).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  );

test("a send is a span with its provider call below it, without personal data", async () => {
  const console = await bench.start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "100",
  });
  const answer = await askForMail(console.origin, await newOrder(bench));
  expect(answer.status).toBe(200);
  await console.stop("SIGTERM");
  const spans = listSpans();
  const call = spans.find(({ name }) => name === "provider POST");
  const request = spans.find(({ spanId }) => spanId === call?.parentSpanId);
  expect(request).toMatchObject({ name: "POST routes/api.stannp", traceId: call?.traceId });
  const known = new Map(request?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  expect(known.get("http.route")).toBe("routes/api.stannp");
  expect(Number(known.get("http.response.status_code"))).toBe(200);
  expect(known.get("mailroom.request_id")).toMatch(/\w/);
  expect(taken.join()).not.toMatch(/Lopez|High St|Cookie|emulator-key/i);
});
