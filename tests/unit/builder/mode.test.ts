import { describe, expect, test } from "vitest";
import { type Draft, openPreset } from "~/builder/draft/draft";
import {
  applyMode,
  findLiveMailType,
  findMailType,
  formatTimeLeft,
  isLiveOver,
  LIVE_LIMIT_MS,
  parsePostedMode,
} from "~/builder/draft/mode";
import { formatPiece } from "~/builder/send/send-button";
import { LETTER_FIELDS, LETTER_START, POSTCARD_FIELDS, POSTCARD_START } from "~/catalogue/mail-fields";
import type { PresetCall } from "~/catalogue/types";

const around = { method: "POST", query: {}, headers: {} } as const;
const postcard: PresetCall = {
  ...around,
  path: "postcards/create",
  body: POSTCARD_START,
  fields: POSTCARD_FIELDS,
};
const letter: PresetCall = { ...around, path: "letters/create", body: LETTER_START, fields: LETTER_FIELDS };
const other: PresetCall = {
  ...around,
  path: "recipients/new/{id}",
  body: {},
  fields: [{ name: "test", label: "Test", type: "boolean" }],
};

function write(template: PresetCall, values: Record<string, string>, change: Partial<Draft> = {}): Draft {
  const draft = openPreset(template);
  return { ...draft, ...change, values: { ...draft.values, ...values } };
}

describe("Live mode", () => {
  test("lasts 15 minutes by the clock", () => {
    expect(LIVE_LIMIT_MS).toBe(900_000);
    expect(isLiveOver(1_000_000, 999_999)).toBe(false);
    expect(isLiveOver(1_000_000, 1_000_000)).toBe(true);
    // A clock that was set back by an hour does not extend it.
    expect(isLiveOver(5_000_000, 1_400_000)).toBe(true);
  });

  test.each([
    [900_000, "15:00"],
    [871_001, "14:32"],
    [59_000, "0:59"],
  ])("with %i ms left shows %s", (ms, words) => {
    expect(formatTimeLeft(ms)).toBe(words);
  });

  test("clears the test box of a mail form, and test mode ticks it", () => {
    for (const template of [postcard, letter]) {
      for (const before of ["", "true"]) {
        expect(applyMode(write(template, { test: before }), template, true).values.test).toBe("");
        expect(applyMode(write(template, { test: before }), template, false).values.test).toBe("true");
      }
    }
  });

  test("does not change other forms or a body edited by hand", () => {
    const draft = write(other, { test: "" });
    expect(applyMode(draft, other, false)).toBe(draft);
    const typed = write(postcard, {}, { body: '{"test":false}' });
    expect(applyMode(typed, postcard, false).body).toBe('{"test":false}');
  });
});

describe("A page posted without JavaScript", () => {
  const NOW = 1_800_000_000_000;
  const SOON = String(NOW + 60_000);
  const read = (liveUntil: string | null, intent: string) => parsePostedMode({ liveUntil, intent }, NOW);
  const inTest = { until: null, ended: false, shown: false };
  const armed = { until: NOW + LIVE_LIMIT_MS, leftMs: LIVE_LIMIT_MS, ended: false, shown: false };

  test.each([
    ["opens in test", null, "send", inTest],
    ["is switched to live by the switch", null, "live", armed],
    ["stays live while its time lasts", SOON, "send", { until: NOW + 60_000, leftMs: 60_000, shown: true }],
    ["gains no time by the switch", SOON, "live", { until: NOW + 60_000, shown: true }],
    ["is switched to test by the switch", SOON, "test", inTest],
    ["is in test after sending a tested piece live", SOON, "send_tested", inTest],
    ["has run out of time", String(NOW), "send", { until: null, ended: true, shown: false }],
    ["cannot give itself more time", String(NOW + LIVE_LIMIT_MS + 1), "send", { ended: true, until: null }],
    ["takes no nonsense for a time", "1e99", "send", { ended: true, until: null }],
    ["that expired is switched to live again", "0", "live", armed],
  ])("%s", (_, liveUntil, intent, mode) => {
    expect(read(liveUntil, intent)).toMatchObject(mode);
  });
});

describe("The label of a piece", () => {
  const place = { address1: "", city: "Leeds", state: "", postcode: "", country: "" };
  const listed = [{ id: "1941", firstname: "Jane", lastname: "Smith", company: "Harbour Books", ...place }];
  const file = (pages: number) => ({
    files: { file: { name: "a.pdf", bytes: 1, facts: { kind: "pdf" as const, bytes: 1, pages } } },
  });
  const typed = { recipient_firstname: "Élodie", recipient_lastname: "Brun", recipient_city: "Lyon" };
  const long = { recipient_lastname: "🙂".repeat(30), recipient_city: "L".repeat(60) };
  const byHand = (body: object) => write(postcard, { size: "4x6" }, { body: JSON.stringify(body) });
  const ray = { firstname: "Jo", lastname: "Ray", city: "York" };
  test.each([
    ["postcard 6x9 to É. Brun, Lyon", write(postcard, { size: "6x9", ...typed })],
    ["postcard 4x6 to J. Smith, Leeds", write(postcard, { recipient: "1941" })],
    ["postcard 4x6 to recipient 1942", write(postcard, { recipient: "1942" })],
    ["postcard 4x6", write(postcard, {})],
    ["postcard 4x6 to Harbour Books", write(postcard, { recipient_company: "Harbour Books" })],
    ["postcard 4x6 to Zoë", write(postcard, { recipient: "1941", recipient_firstname: "Zoë" })],
    [`postcard 4x6 to ${"🙂".repeat(23)}…, ${"L".repeat(23)}…`, write(postcard, long)],
    ["letter, 2 pages, to recipient 7", write(letter, { recipient: "7" }, file(2))],
    ["letter, 1 page, to recipient 7", write(letter, { recipient: "7" }, file(1))],
    ["letter, 2 pages", write(letter, {}, file(2))],
    ["letter to recipient 7", write(letter, { content: "Hi", recipient: "7" })],
    ["postcard 6x11 to J. Ray, York", byHand({ size: "6x11", recipient: ray })],
    ["postcard 6x11 to J. Smith, Leeds", byHand({ size: "6x11", recipient: 1941 })],
    ["postcard to Ray", byHand({ "recipient[lastname]": "Ray" })],
  ])("%s", (label, draft) => {
    const [kind, template] =
      draft.path === letter.path ? (["letter", letter] as const) : (["postcard", postcard] as const);
    expect(formatPiece(kind, draft, template, listed)).toBe(label);
  });
});

describe("live mail is recognised", () => {
  const typed = (path: string, body: unknown, values: Record<string, string> = {}) => ({
    ...write(other, values),
    path,
    body: JSON.stringify(body),
  });

  test.each([
    ["letters/post", {}, "letter"],
    ["postcards/create", { test: "off" }, "postcard"],
    ["postcards/%63reate", {}, "postcard"],
    ["postcards/create", "size=4x6&test=1", "postcard"],
    ["postcards/create", { test: "yes" }, null],
    ["postcards/cancel", {}, null],
    ["recipients/new", {}, null],
  ])("%s %j", (path, body, what) => {
    expect(findLiveMailType(typed(path, body), other)).toBe(what);
  });

  test("when a form value completes the path", () => {
    const draft = typed("postcards/{id}", {}, { id: "create" });
    expect(findLiveMailType(draft, other)).toBe("postcard");
    expect(findMailType({ ...draft, body: '{"test":true}' })).toBe("postcard");
    expect(findMailType({ ...draft, method: "GET" })).toBeNull();
  });
});
