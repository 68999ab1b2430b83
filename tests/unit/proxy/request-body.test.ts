import { describe, expect, test } from "vitest";
import { readLimitedBytes, readPageForm } from "~/platform/http/body.server";
import { parseJsonText, readJsonBody } from "~/platform/http/json-body.server";

const LIMIT = 1_000_000;

function post(body: BodyInit, type = "application/json; charset=utf-8"): Request {
  return new Request("http://console.test/", {
    method: "POST",
    body,
    headers: { "Content-Type": type },
    duplex: "half",
  } as RequestInit);
}

/** A body that sends its chunks and then neither ends nor continues. */
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
    expect(await readJsonBody(post(stream), LIMIT)).toEqual({ ok: true, value: { a: "\u00e9\u4e2d" } });
  });

  test("a slow body is refused when its time is over", async () => {
    const read = await readJsonBody(post(stall('{"a":')), 100, 20);
    expect(read).toMatchObject({ ok: false, failure: { code: "bad_input" } });
    expect(read.ok || read.failure.message).toContain("did not arrive within");
  });

  test("a body that breaks off is refused", async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
    const failure = { code: "bad_input" };
    expect(await readJsonBody(post(broken), LIMIT)).toMatchObject({ ok: false, failure });
  });

  test("the reason has the position of the JSON error, not the text there", async () => {
    const read = await readJsonBody(post('{"a":1 "secret-value"'), LIMIT);
    expect(read.ok || read.failure.message).toMatch(
      /^Invalid JSON: it breaks at character 7\. Nothing was sent/,
    );
  });
});

describe("readLimitedBytes", () => {
  test("counts while the body streams in: later bytes are not read", async () => {
    const failure = { code: "too_large" };
    expect(await readLimitedBytes(post(stall("12345", "6")), 5)).toMatchObject({ ok: false, failure });
    expect(await readLimitedBytes(post("12345"), 5)).toMatchObject({ ok: true });
  });

  test("refuses an announced length that is too large", async () => {
    const request = post(stall("1"));
    request.headers.set("Content-Length", "6");
    expect(await readLimitedBytes(request, 5)).toMatchObject({ ok: false, failure: { code: "too_large" } });
  });

  test("an absent body has no bytes", async () => {
    const read = await readLimitedBytes(new Request("http://console.test/"), LIMIT);
    expect(read).toEqual({ ok: true, value: new Uint8Array() });
  });
});

describe("parseJsonText", () => {
  test.each([
    ["empty lists", `[${"[],".repeat(100_000)}1]`],
    ["numbers", `[${"1,".repeat(100_000)}1]`],
    ["names", `{${'"a":1,'.repeat(100_000)}"a":1}`],
    ["lists that never end", "[1,".repeat(60) + "{},".repeat(100_000)],
  ])("refuses more than 100,000 values before it parses them: %s", (_name, text) => {
    expect(parseJsonText(text)).toMatchObject({
      failure: { message: expect.stringMatching(/ 100000 values/) },
    });
  });

  test("commas and brackets in a text do not count as values", () => {
    expect(parseJsonText(JSON.stringify({ a: '[,\\"{,'.repeat(100_000) })).ok).toBe(true);
    expect(parseJsonText(`[${"1,".repeat(90_000)}1]`).ok).toBe(true);
  });
});

describe("readPageForm", () => {
  const limits = { anonymousBytes: 1_000, knownBytes: 2_000, fields: 3 };
  const read = (body: BodyInit, isKnown = true, type = "application/x-www-form-urlencoded") =>
    readPageForm({ request: post(body, type), context: { bodyLimits: limits } }, isKnown);

  test("a caller without a session has a lower limit", async () => {
    const text = `a=${"x".repeat(1_500)}`;
    expect((await read(text)).ok).toBe(true);
    const tooLarge = (end: RegExp) => ({
      failure: { code: "too_large", message: expect.stringMatching(end) },
    });
    expect(await read(text, false)).toMatchObject(tooLarge(/1000 bytes while you are signed out/));
    expect(await read(text + text)).toMatchObject(tooLarge(/larger than 2 KB\./));
  });

  test.each(["x", '"x"', "a; boundary=y"])(
    "the fields are counted, with the boundary %s",
    async (boundary) => {
      const part = `--${boundary === "a; boundary=y" ? "a" : "x"}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n`;
      const end = `${part.slice(0, part.indexOf("\r"))}--\r\n`;
      const type = `multipart/form-data; boundary=${boundary}`;
      expect((await read(part.repeat(2) + end, true, type)).ok).toBe(true);
      expect(await read(part.repeat(4) + end, true, type)).toMatchObject({
        failure: { code: "bad_input", message: expect.stringMatching(/more than 3 fields/) },
      });
    },
  );

  test("the fields of an encoded form are counted", async () => {
    expect((await read("a=1&b=2&c=3")).ok).toBe(true);
    expect(await read("&&&&&&&&")).toMatchObject({ failure: { code: "bad_input" } });
  });
});
