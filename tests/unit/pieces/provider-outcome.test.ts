import { describe, expect, test } from "vitest";
import { parseProviderOutcome } from "~/pieces/send/piece-call.server";

const read = (status: number, parsed?: unknown, headers: Record<string, string> = {}) =>
  parseProviderOutcome({ status, headers, text: JSON.stringify(parsed) ?? "" });
const piece = (data: unknown) => ({ success: true, data });

describe("an answer to live mail", () => {
  test.each([
    [200, piece({ id: 16800001, status: "received" }), "16800001"],
    [200, piece({ id: "16800001" }), "16800001"],
    [201, piece({ id: 7 }), "7"],
    [409, piece({ id: 16800001 }), "16800001"],
    [200, piece({ status: "received" }), null],
    [200, piece(1), null],
    [200, piece({ id: "\u0000" }), null],
  ])("%d %j is accepted", (status, body, providerId) => {
    expect(read(status, body)).toEqual({ kind: "accepted", providerId });
  });

  test.each([
    [200, piece({ id: 0, status: "test" })],
    [200, piece({ id: "0" })],
    [200, piece({ id: 5, status: "test" })],
    [409, piece({ id: 0 })],
  ])("%d %j was done as a test", (status, body) => {
    expect(read(status, body)).toEqual({ kind: "sample" });
  });

  test.each([400, 401, 402, 403, 404, 413, 415, 422])("%d is refused with any body", (status) => {
    expect(read(status, { success: false, error: "no" })).toEqual({ kind: "refused" });
    expect(read(status, undefined)).toEqual({ kind: "refused" });
  });

  test("200 with success:false is refused", () => {
    expect(read(200, { success: false, error: "no" })).toEqual({ kind: "refused" });
  });

  test.each([
    [200, undefined],
    [200, {}],
    [200, []],
    [204, undefined],
    [301, undefined],
    [408, { success: false }],
    [409, undefined],
    [409, { success: false }],
    [418, { success: false }],
    [500, { success: false }],
    [500, piece({ id: 5 })],
    [502, undefined],
    [503, undefined],
    [504, undefined],
  ])("%d %j does not say whether it was done", (status, body) => {
    expect(read(status, body)).toEqual({ kind: "unknown" });
  });

  test.each([
    [{ "x-ratelimit-reset": "46" }, 46],
    [{ "retry-after": "3" }, 3],
    [{ "x-ratelimit-reset": "0" }, 1],
    [{ "x-ratelimit-reset": "soon" }, 60],
    [{}, 60],
  ])("429 %j is retried later", (headers, waitSeconds) => {
    expect(read(429, { success: false }, headers as Record<string, string>)).toEqual({
      kind: "rate_limited",
      waitSeconds,
    });
  });
});
