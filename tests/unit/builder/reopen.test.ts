import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openPreset } from "~/builder/draft/draft";
import { findPresetCall, reopenUnderPreset } from "~/builder/draft/presets.server";
import { reopenCall, type SentCall } from "~/builder/draft/reopen.server";
import { buildRequest, findSendBlock, listProblems } from "~/builder/draft/request";
import { findPreset, PRESETS } from "~/catalogue/presets";
import { makePng } from "../../support/files/sample-pictures";

const BODY = { test: true, size: "6x9", template: "21001", recipient: "1001", clearzone: true };
const POSTCARD: SentCall = {
  method: "POST",
  path: "postcards/create",
  query: {},
  headers: { "content-type": "application/json" },
  body: BODY,
};

function open(call: SentCall, presetId: string) {
  const opened = reopenUnderPreset(call, presetId);
  const template = findPresetCall(opened.preset, opened.documented);
  return { ...opened, template, sends: () => buildRequest(opened.draft, template) };
}

/** Opens the postcard's request with another body. */
const openCard = (body: object) => open({ ...POSTCARD, body }, "postcards.create");

/** Removes an undefined or null body, because both are sent as none. */
function withoutNothing({ body, ...rest }: { body?: unknown }) {
  return { ...rest, body: body ?? null };
}

describe("a stored request opened again", () => {
  test("fits the form of the preset that sent it, for every preset", () => {
    for (const preset of PRESETS) {
      const template = findPresetCall(preset, false);
      const draft = openPreset(template);
      for (const field of template.fields) {
        if (field.type === "file") continue;
        draft.values[field.name] ||= field.options?.[0] ?? (field.type === "number" ? "7" : "abc");
      }
      if (draft.values.variables) draft.values.variables = '{"a":1}';
      if ("test" in draft.values) draft.values.test = "true";
      const original = { ...buildRequest(draft, template), body: buildRequest(draft, template).body ?? null };
      const { sends, draft: reopened, ...opened } = open(original, preset.id);
      expect(withoutNothing(sends()), preset.id).toEqual(withoutNothing(original));
      expect(opened.preset.id, preset.id).toBe(preset.id);
      expect(reopened.body, preset.id).toBeNull();
      expect(opened.unfit, preset.id).toEqual([]);
    }
  });

  test("keeps values that do not fit the form in the body, and lists their fields", () => {
    const body = { ...BODY, colour: false, font: "Wingdings", extra: { a: [1] } };
    const { draft, unfit, sends } = openCard(body);
    expect(JSON.parse(draft.body ?? "")).toEqual(body);
    expect(sends().body).toEqual(body);
    expect(unfit).toEqual(["colour", "font", "extra"]);
    expect(draft.values).toMatchObject({ size: "6x9", template: "21001", font: "" });
  });

  test("lists the parts of a recipient one by one", () => {
    const place = { address1: "1", city: "P", postcode: "9", country: "US" };
    const recipient = { firstname: "Jo", lastname: "S", ...place };
    const fits = openCard({ ...BODY, recipient });
    expect(fits.draft.body).toBeNull();
    expect(fits.draft.values).toMatchObject({ recipient_firstname: "Jo", recipient_country: "US" });
    const odd = { ...recipient, planet: "Mars" };
    const { unfit, draft } = openCard({ test: true, recipient: odd });
    expect(unfit).toEqual(["recipient.planet"]);
    expect(draft.body).not.toBeNull();
  });

  test("does not use a form that would add a field", () => {
    const { draft, sends } = openCard({ test: true });
    expect(draft.body).not.toBeNull();
    expect(sends().body).toEqual({ test: true });
  });

  test("opens live mail as a test, in the form and by hand, and says that it was live", () => {
    const { test: _, ...live } = BODY;
    const inForm = openCard(live);
    expect(inForm.wasLive).toBe("postcard");
    expect(inForm.draft.values.test).toBe("true");
    expect(inForm.sends().body).toEqual(BODY);
    const byHand = openCard({ ...live, test: "no", extra: 1 });
    expect(byHand.wasLive).toBe("postcard");
    expect(byHand.sends().body).toMatchObject({ test: true, extra: 1 });
    expect(open(POSTCARD, "postcards.create").wasLive).toBeNull();
    const letter = { method: "POST", path: "letters/post", query: {}, headers: {}, body: { pdf: "x" } };
    expect(open(letter, "")).toMatchObject({ wasLive: "letter" });
    expect(open(letter, "").sends().body).toEqual({ pdf: "x", test: true });
  });

  test("attaches files that were stored and lists those that were not", () => {
    const picture = Buffer.from(makePng(10, 10)).toString("base64");
    const kept = openCard({ ...BODY, front: picture });
    expect(kept.draft.files.front).toMatchObject({ name: "front", facts: { kind: "png", widthPx: 10 } });
    expect(kept.sends().body).toMatchObject({ front: picture });

    const elided = { elided: "base64", bytes: 240_113, sha256: "ab".repeat(32) };
    const { template: _, ...bare } = BODY;
    const inForm = openCard({ ...bare, front: elided });
    expect(inForm.missing).toEqual([{ place: "front", bytes: 240_113 }]);
    expect(inForm.draft).toMatchObject({ body: null, values: { front: "" }, files: {} });
    expect(listProblems(inForm.draft, inForm.template).map((problem) => problem.field)).toContain("template");

    const byHand = openCard({ ...bare, pages: [{ file: elided }] });
    expect(byHand.missing).toEqual([{ place: "pages[0].file", bytes: 240_113 }]);
    expect(byHand.draft.body).toContain("missing file of 240,113 bytes");
    expect(findSendBlock(byHand.draft)).toBe("invalid_json");
  });

  test("does not treat a URL in a file field as a file", () => {
    const front = "https://example.com/front.jpg";
    const { draft, sends, unfit } = openCard({ ...BODY, front });
    expect(unfit).toEqual(["front"]);
    expect(draft.files).toEqual({});
    expect(sends().body).toMatchObject({ front });
  });

  test("puts query parameters into the form if it builds the same ones", () => {
    const query = { page: "2", limit: "007", country: "XX", trace: "a b" };
    const call = { method: "GET", path: "recipients/list", query, headers: { "x-note": "n" }, body: null };
    const { draft, unfit, sends, preset } = open(call, "recipients.list");
    expect(preset.id).toBe("recipients.list");
    expect(draft.values).toMatchObject({ page: "2", limit: "" });
    expect(draft.query.map(({ name }) => name)).toEqual(["limit", "country", "trace"]);
    expect(unfit).toContain("limit");
    expect(withoutNothing(sends())).toEqual(call);
  });

  test("puts ids from the path into the form, decoded", () => {
    const call = { method: "GET", path: "recipients/get/a%20b", query: {}, headers: {}, body: null };
    const { draft, sends } = open(call, "recipients.get");
    expect(draft).toMatchObject({ path: "recipients/get/{id}", values: { id: "a b" } });
    expect(sends().path).toBe("recipients/get/a%20b");
    // Another spelling of the same segment would change.
    const odd = open({ ...call, path: "recipients/get/%61" }, "recipients.get");
    expect(odd.draft.path).toBe("recipients/get/%61");
    expect(listProblems(odd.draft, odd.template)).toEqual([]);
  });

  test("replaces a preset that no longer exists by one with the same call", () => {
    expect(open(POSTCARD, "postcards.gone").preset.id).toBe("postcards.create");
  });

  test("sends exactly the same request, for arbitrary requests", () => {
    const text = fc.string({ maxLength: 12 });
    const pairs = fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/), text, { maxKeys: 4 });
    const presetIds = PRESETS.map(({ id }) => id);
    const calls = fc.record({
      method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
      path: fc.constantFrom(...PRESETS.map(({ path }) => path.replace(/\{\w+\}/g, "42")), "own/path"),
      query: pairs,
      headers: pairs,
      body: fc.oneof(fc.constant(null), fc.jsonValue({ maxDepth: 2 }), fc.dictionary(text, fc.jsonValue())),
    });
    fc.assert(
      fc.property(calls, fc.constantFrom(...presetIds, "none"), (call, presetId) => {
        const original = call.method === "GET" || call.method === "DELETE" ? { ...call, body: null } : call;
        const opened = open(original, presetId);
        const sent = JSON.parse(JSON.stringify(withoutNothing(opened.sends())));
        const wanted = JSON.parse(JSON.stringify(original));
        if (opened.wasLive) wanted.body = { ...wanted.body, test: true };
        expect(sent).toEqual(wanted);
      }),
      { numRuns: 500 },
    );
  });

  test("keeps the preset's method if the stored one is unknown", () => {
    const preset = findPreset("account.balance");
    if (!preset) throw new Error("no preset");
    const odd = { method: "TRACE", path: "x", query: {}, headers: {}, body: null };
    expect(reopenCall(odd, findPresetCall(preset, false)).draft.method).toBe("GET");
  });
});
