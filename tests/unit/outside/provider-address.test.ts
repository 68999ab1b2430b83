import { beforeAll, describe, expect, test, vi } from "vitest";
import { buildUrl, findBase, forcesJson, normalisePath } from "~/outside/mail-provider/call/address.server";
import { HOSTILE_PATHS, listHostileBases } from "../../support/hostile-addresses";

const US = { label: "US", url: "https://api.example.test/v1" };
const DASH = { label: "Dash", url: "https://dash.example.test/api/v1" };

beforeAll(() => {
  vi.stubEnv("STANNP_BASE_URLS", `${US.label}=${US.url},${DASH.label}=${DASH.url}`);
});

describe("findBase", () => {
  test.each([
    [null, US],
    ["", US],
    ["https://api.example.test/v1", US],
    ["https://api.example.test/v1/", US],
    ["HTTPS://API.Example.test/v1", US],
    ["https://api.example.test:443/v1", US],
    ["https://dash.example.test/api/v1", DASH],
  ])("%s is allowed", (address, base) => {
    expect(findBase(address)).toEqual({ ok: true, value: base });
  });

  test.each(listHostileBases("api.example.test", "/v1"))("%j is refused", (address) => {
    const found = findBase(address);
    expect(found).toMatchObject({ ok: false, failure: { code: "forbidden" } });
    expect(found.ok || found.failure.message).toContain("Nothing was sent and nothing was charged.");
  });
});

describe("normalisePath", () => {
  test.each([
    ["recipients/list", "recipients/list"],
    ["Recipients/List", "Recipients/List"],
    ["recipients/get/a%40b.c", "recipients/get/a%40b.c"],
    ["reporting/summary/2026-01-05/2026-01-06", "reporting/summary/2026-01-05/2026-01-06"],
    ["reporting/x/2026-01-05T10%3a00%3a00%2B00%3A00", "reporting/x/2026-01-05T10:00:00+00:00"],
    ["postcards/cre%61te", "postcards/create"],
    ["tags/50%25%20off", "tags/50%25%20off"],
    ["files/get/report.json", "files/get/report.json"],
    ["caf%C3%A9", "caf%C3%A9"],
  ])("%s is sent as %s", (path, expected) => {
    expect(normalisePath(path)).toEqual({ ok: true, value: expected });
  });

  test.each(HOSTILE_PATHS)("%j is refused", (path) => {
    expect(normalisePath(path)).toMatchObject({ ok: false, failure: { code: "bad_input" } });
  });
});

describe("buildUrl", () => {
  test("forces .json on for the dash base and off for the others", () => {
    expect([forcesJson(DASH), forcesJson(US)]).toEqual([true, false]);
    expect(buildUrl(US, "a/b", {})).toEqual({ ok: true, value: `${US.url}/a/b` });
    expect(buildUrl(DASH, "a/b", {})).toEqual({ ok: true, value: `${DASH.url}/a/b.json` });
    expect(buildUrl(DASH, "a/b.json", {})).toEqual({ ok: true, value: `${DASH.url}/a/b.json` });
  });

  test("encodes the query and excludes credentials", () => {
    const keys = { api_key: "1", "API-Key": "2", "api.key": "3", "x[api_key]": "4" };
    const value = `${US.url}/a?q=a+b%26c%3Dd%23e&limit=5`;
    expect(buildUrl(US, "a", { q: "a b&c=d#e", ...keys, limit: "5" })).toEqual({ ok: true, value });
  });
});
