import { describe, expect, test } from "vitest";
import { readJsonBody, readLimitedBytes } from "~/platform/http/body.server";

function post(body: BodyInit, type = "application/json; charset=utf-8"): Request {
  return new Request("http://console.test/", {
    method: "POST",
    body,
    headers: { "Content-Type": type },
    duplex: "half",
  } as RequestInit);
}

/** A body that sends its chunks and then neither ends nor goes on. */
function stall(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
    },
  });
}

describe("readJsonBody", () => {
  test("reads a body in any number of pieces", async () => {
    const stream = new Blob(['{"a":', '"\u00e9', '\u4e2d"}']).stream();
    expect(await readJsonBody(post(stream))).toEqual({ ok: true, value: { a: "\u00e9\u4e2d" } });
  });

  test("a slow body is refused when its time is over", async () => {
    const read = await readJsonBody(post(stall('{"a":')), 100, 20);
    expect(read).toMatchObject({ ok: false, failure: { code: "bad_input" } });
    expect(read.ok || read.failure.message).toContain("did not arrive within 0.02 s");
  });

  test("a body that breaks off is refused", async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
    expect(await readJsonBody(post(broken))).toMatchObject({ ok: false, failure: { code: "bad_input" } });
  });

  test("the reason says where the JSON breaks, not what stands there", async () => {
    const read = await readJsonBody(post('{"a":1 "secret-value"'));
    expect(read.ok || read.failure.message).toMatch(
      /^Invalid JSON: it breaks at character 7\. Nothing was sent/,
    );
  });
});

describe("readLimitedBytes", () => {
  test("counts while the body streams in: what comes after the limit is not waited for", async () => {
    expect(await readLimitedBytes(post(stall("12345", "6")), 5)).toMatchObject({
      ok: false,
      failure: { code: "too_large" },
    });
    expect(await readLimitedBytes(post("12345"), 5)).toMatchObject({ ok: true });
  });

  test("believes an announced length that is too large", async () => {
    const request = post(stall("1"));
    request.headers.set("Content-Length", "6");
    expect(await readLimitedBytes(request, 5)).toMatchObject({ ok: false, failure: { code: "too_large" } });
  });

  test("no body is no bytes", async () => {
    const read = await readLimitedBytes(new Request("http://console.test/"));
    expect(read).toEqual({ ok: true, value: new Uint8Array() });
  });
});
