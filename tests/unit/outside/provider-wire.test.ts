import { describe, expect, test } from "vitest";
import { buildUrl } from "~/outside/mail-provider/call/address.server";
import { chooseWireType, encodeWireBody, parseWireBody } from "~/outside/mail-provider/call/wire.server";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

const BASE = { label: "US", url: "https://api.example.com/v1" };

describe("chooseWireType", () => {
  test.each([
    [undefined, JSON_TYPE],
    ["", JSON_TYPE],
    ["application/json; charset=utf-8", JSON_TYPE],
    ["Application/X-WWW-Form-Urlencoded", FORM],
  ])("%s gives %s", (input, expected) => {
    expect(chooseWireType(input)).toEqual({ ok: true, value: expected });
  });

  test("other types are refused", () => {
    for (const type of ["multipart/form-data; boundary=x", "text/plain", "application/json+x"]) {
      expect(chooseWireType(type)).toMatchObject({ ok: false, failure: { code: "bad_input" } });
    }
  });
});

describe("encodeWireBody", () => {
  const body = {
    test: true,
    duplex: false,
    recipient: { firstname: "A & B", "odd[key]": "=", none: null },
    pages: ["one", "two"],
    tags: ["a", "b"],
    addons: ["FIRST_CLASS"],
    size: 4,
    empty: "",
  };

  test("JSON is sent unchanged, lists of tags and addons as text", () => {
    expect(JSON.parse(encodeWireBody(body, JSON_TYPE) ?? "")).toEqual({
      ...body,
      tags: "a,b",
      addons: "FIRST_CLASS",
    });
    expect(encodeWireBody([1], JSON_TYPE)).toBe("[1]");
  });

  test("form fields are bracketed, booleans 1 and 0, null omitted", () => {
    const fields = [...new URLSearchParams(encodeWireBody(body, FORM) ?? "")];
    expect(fields).toEqual([
      ["test", "1"],
      ["duplex", "0"],
      ["recipient[firstname]", "A & B"],
      ["recipient[odd[key]]", "="],
      ["pages[0]", "one"],
      ["pages[1]", "two"],
      ["tags", "a,b"],
      ["addons", "FIRST_CLASS"],
      ["size", "4"],
      ["empty", ""],
    ]);
  });
});

describe("parseWireBody", () => {
  test("reads text by its type", () => {
    expect(parseWireBody('{"a":1}', JSON_TYPE)).toEqual({ ok: true, value: { a: 1 } });
    expect(parseWireBody('{"a":1}', FORM)).toEqual({ ok: true, value: { a: 1 } });
    expect(parseWireBody("id=7&recipient[city]=X&f[]=1&f[]=2", FORM)).toEqual({
      ok: true,
      value: { id: "7", "recipient[city]": "X", f: ["1", "2"] },
    });
    expect(parseWireBody(" ", JSON_TYPE)).toEqual({ ok: true, value: undefined });
  });

  test.each([
    ["{", JSON_TYPE, "Invalid JSON"],
    ["a=1", JSON_TYPE, "Invalid JSON"],
    ["test=1&test=0", FORM, "twice"],
    ["[".repeat(7_000) + "]".repeat(7_000), JSON_TYPE, "nested deeper"],
  ] as const)("refuses %.20s", (text, type, reason) => {
    const read = parseWireBody(text, type);
    expect(read).toMatchObject({ ok: false, failure: { code: "bad_input" } });
    expect(read.ok || read.failure.message).toContain(reason);
  });

  test("does not repeat the caller's text in the reason", () => {
    expect(JSON.stringify(parseWireBody('{"key": my-secret-key', JSON_TYPE))).not.toContain("my-secret-key");
  });

  test.each([
    [{ api_key: "x", a: 1 }, { a: 1 }],
    [{ "API-KEY": "x", "api.key": "x", "api key": "x", "api[key": "x", apiKey: "x" }, {}],
    [{ "recipient[api_key]": "x", "api_key[]": "x", authorization: "x", access_token: "x" }, {}],
    [{ recipient: { api_key: "x", city: "Y" } }, { recipient: { city: "Y" } }],
    [{ list: [{ api_key: "x" }, 2] }, { list: [{}, 2] }],
    [{ variables: '{"api_key":"x","b":1}' }, { variables: '{"b":1}' }],
    [{ variables: '[{"api\\u005fkey":"x"}]' }, { variables: "[{}]" }],
    [{ variables: JSON.stringify(JSON.stringify({ api_key: "x" })) }, { variables: '"{}"' }],
    [{ variables: '{ "n": 1.50 }' }, { variables: '{ "n": 1.50 }' }],
    ['{"api_key":"x","a":1}', { a: 1 }],
  ])("drops credentials: %j", (body, expected) => {
    expect(parseWireBody(body, JSON_TYPE)).toEqual({ ok: true, value: expected });
  });

  test("drops credentials from form text", () => {
    expect(parseWireBody("api_key=x&a=1&api%2Ekey=y&r[api_key]=z", FORM)).toEqual({
      ok: true,
      value: { a: "1" },
    });
  });
});

describe("credentials in deeply nested text", () => {
  const nest = (levels: number, inner: string) => "[".repeat(levels) + inner + "]".repeat(levels);
  const KEYED = '{"api_key":"x"}';

  test.each([
    ["in a field", (text: string) => parseWireBody({ variables: text }, JSON_TYPE)],
    ["in text inside text", (text: string) => parseWireBody({ variables: JSON.stringify(text) }, JSON_TYPE)],
    ["in a form", (text: string) => parseWireBody(new URLSearchParams({ variables: text }).toString(), FORM)],
    ["in the query", (text: string) => buildUrl(BASE, "a/b", { filter: text })],
  ])("are refused %s, never forwarded", (_, read) => {
    for (const levels of [100, 20_000, 1_000_000]) {
      expect(read(nest(levels, KEYED))).toMatchObject({ ok: false, failure: { code: "bad_input" } });
    }
    expect(JSON.stringify(read(nest(50, KEYED)))).not.toContain("api_key");
  });

  test("are refused in values that are nested as deeply", () => {
    const deep = JSON.parse(nest(5_000, KEYED));
    expect(parseWireBody(deep, JSON_TYPE)).toMatchObject({ ok: false, failure: { code: "bad_input" } });
  });

  test("brackets that are not JSON are unchanged", () => {
    const text = `${"[".repeat(20_000)} dear reader`;
    expect(parseWireBody({ content: text }, JSON_TYPE)).toEqual({ ok: true, value: { content: text } });
  });
});
