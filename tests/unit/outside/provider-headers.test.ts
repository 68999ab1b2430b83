import { describe, expect, test } from "vitest";
import { filterHeaders } from "~/outside/mail-provider/call/wire.server";

const NAMED = `Authorization Proxy-Authorization Cookie Set-Cookie Host Connection Keep-Alive Proxy-Connection TE Trailer
  Transfer-Encoding Upgrade Content-Length Content-Encoding Expect Accept-Encoding Forwarded Via Origin Referer User-Agent
  Range If-None-Match X-Api-Key x-api-key X-ApiKey X-Api-Token X-Auth-Token X-Access-Token X-Amz-Security-Token
  X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Forwarded X-Real-IP X-Client-IP X-Original-URL X-Original-Host
  X-Rewrite-URL X-Host X-HTTP-Method-Override X-HTTP-Method X-Method-Override X-CSRF-Token X-Cookie X-Session X_Api_Key
  X- X-Bad:x \u017f-custom __proto__`;
const SPELT = ["authorization ", "X-API-KEY ", "", " ", "X-Bad Name", "X-Bad\r\nAuthorization", "x-\u0000"];
const STOPPED = [...NAMED.split(/\s+/), ...SPELT];

describe("filterHeaders", () => {
  test.each([
    ["Content-Type", "application/json"],
    ["ACCEPT", "text/html"],
    ["Accept-Language", "de"],
    ["Idempotency-Key", "0123456789"],
    ["X-Idempotency-Key", "0123456789"],
    ["X-Request-Id", "abc"],
    ["X-Custom", "caf\u00e9"],
  ])("%s passes", (name, value) => {
    const passed = { [name.toLowerCase()]: value };
    expect(filterHeaders({ [name]: ` ${value}` })).toEqual({ ok: true, value: passed });
  });

  test.each(STOPPED)("%j is dropped", (name) => {
    expect(filterHeaders(Object.fromEntries([[name, "v"]]))).toEqual({ ok: true, value: {} });
  });

  test.each(["a\r\nAuthorization: Basic x", "a\nb", "\u0000", "\u4e2d", "a".repeat(4_097)])(
    "a value that cannot be sent is refused: %j",
    (value) => {
      const failure = { code: "bad_input" };
      expect(filterHeaders({ "X-Custom": value })).toMatchObject({ ok: false, failure });
    },
  );

  test("more than 64 are refused", () => {
    const many = Object.fromEntries([...Array(65).keys()].map((at) => [`x-h-${at}`, "v"]));
    expect(filterHeaders(many)).toMatchObject({ ok: false, failure: { code: "bad_input" } });
  });
});
