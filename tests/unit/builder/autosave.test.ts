import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  isFresh,
  isSameDraft,
  MAX_SAVED_FILES_BYTES,
  packDraft,
  parseStoredDraft,
  restoreDraft,
} from "~/builder/draft/autosaver";
import { addFallbackRecipient, type Draft, openPreset } from "~/builder/draft/draft";
import { findDraftOrigin } from "~/builder/page/use-request";
import { toLiveStep } from "~/builder/send/answer";
import { LETTER_FIELDS, LETTER_START, POSTCARD_FIELDS, POSTCARD_START } from "~/catalogue/mail-fields";
import type { ProxyResponse } from "~/proxy/answer.schema.server";

const around = { method: "POST", query: {}, headers: { "content-type": "application/json" } } as const;
const POSTCARD = { ...around, path: "postcards/create", body: POSTCARD_START, fields: POSTCARD_FIELDS };
const LETTER = { ...around, path: "letters/create", body: LETTER_START, fields: LETTER_FIELDS };
const FRONT = { name: "front.png", bytes: 3 };
const AT = Date.UTC(2026, 10, 21, 16, 5);

function write(values: Record<string, string>, more: Partial<Draft> = {}): Draft {
  const draft = openPreset(POSTCARD);
  return { ...draft, ...more, values: { ...draft.values, ...values } };
}

/** Stamps by content. */
const STAMPS = new Map([["QUJD", "s"]]);

const pack = (draft: Draft) => packDraft(draft, STAMPS, null);

/** Stores a draft and restores it. @param contents by stamp */
function keep(draft: Draft, contents: Record<string, unknown> = {}) {
  const stored = parseStoredDraft(structuredClone(pack(draft)));
  if (!stored) throw new Error("not read");
  return restoreDraft(stored, new Map(Object.entries(contents)), POSTCARD);
}

beforeEach(() => {
  vi.useFakeTimers({ now: AT, toFake: ["Date"] });
  return () => vi.useRealTimers();
});

describe("a saved draft", () => {
  test("is restored with its values, pairs, files and time", () => {
    const draft = write(
      { message: "Grüße ☕", front: "QUJD", font: "Georgia" },
      { files: { front: FRONT }, headers: [{ name: "x-a", value: "1" }], path: "postcards/create " },
    );
    const back = keep(draft, { s: "QUJD" });
    expect(back).toMatchObject({ savedAt: AT, missing: [], live: false, sentKey: null });
    expect(back.draft).toEqual(draft);
  });

  test.each(["", "  \n"])("is restored as a test when its body was cleared by hand: %j", (body) => {
    expect(JSON.parse(keep(write({}, { body })).draft.body ?? "")).toEqual({ test: true });
  });

  test("contains no file contents itself", () => {
    const stored = pack(write({ front: "QUJD" }, { files: { front: FRONT } }));
    expect(JSON.stringify(stored)).not.toContain("QUJD");
  });

  test("is never restored as live mail", () => {
    const back = keep(write({ test: "" }));
    expect(back.draft.values.test).toBe("true");
    expect(back.live).toBe(true);
    const byHand = keep(write({}, { body: '{"test": false, "size": "4x6"}' }));
    expect(JSON.parse(byHand.draft.body ?? "")).toEqual({ test: true, size: "4x6" });
  });

  test("keeps an unfinished body unchanged", () => {
    expect(keep(write({}, { body: '{"test": fal' })).draft.body).toBe('{"test": fal');
  });

  test("is saved without a fallback recipient", () => {
    const draft = addFallbackRecipient(write({ message: "Hi" }));
    expect(keep(draft).draft.values).toMatchObject({ message: "Hi", recipient: "" });
  });

  test("is restored for the fields that the form has now", () => {
    const stored = parseStoredDraft(structuredClone(pack(write({ message: "Hi", gone: "x" }))));
    if (!stored) throw new Error("not read");
    delete stored.draft.values.size;
    const { values } = restoreDraft(stored, new Map(), POSTCARD).draft;
    expect(values).toMatchObject({ message: "Hi", size: "4x6" });
    expect(values).not.toHaveProperty("gone");
  });
});

describe("files of a saved draft", () => {
  const half = MAX_SAVED_FILES_BYTES / 2;

  test("are saved up to the limit, and the others are listed", () => {
    const signature = { name: "signature.png", bytes: half };
    const front = { name: "front.pdf", bytes: half };
    const files = { front, back: { name: "back.pdf", bytes: half + 1 }, signature };
    const draft = write({ front: "QUJD", back: "QUJD", signature: "QUJD" }, { files });
    const { draft: restored, missing } = keep(draft, { s: "QUJD" });
    expect(Object.keys(restored.files)).toEqual(["front", "signature"]);
    expect(missing).toEqual(["back.pdf"]);
  });

  test.each([
    ["is not there", {}],
    ["belongs to another tab's draft", { other: "QUJD" }],
    ["is none", { s: 7 }],
  ])("have to be chosen again when the content %s", (_, contents) => {
    const draft = write({ front: "QUJD" }, { files: { front: FRONT } });
    const back = keep(draft, contents);
    expect(back.missing).toEqual(["front.png"]);
    expect(back.draft.values.front).toBe("");
    expect(back.draft.files).toEqual({});
  });
});

describe("a stored entry", () => {
  const whole = pack(write({ message: "Hi" }));

  test.each([
    ["nothing", undefined],
    ["a text", "draft"],
    ["an older version", { ...whole, version: 0 }],
  ])("%s does not count as a draft", (_, stored) => {
    expect(parseStoredDraft(stored)).toBeNull();
  });

  test("is a draft if it is of this version", () => {
    expect(parseStoredDraft(structuredClone(whole))).toEqual(whole);
  });

  test("has only texts in its fields, whatever was stored", () => {
    const changed = { ...whole, draft: { ...whole.draft, values: { message: 7 as unknown as string } } };
    expect(restoreDraft(changed, new Map(), POSTCARD).draft.values.message).toBe("7");
  });
});

describe("a form without input", () => {
  test("is fresh, also in live mode and with the fallback recipient", () => {
    expect(isFresh(openPreset(POSTCARD), POSTCARD)).toBe(true);
    expect(isFresh(write({ test: "" }), POSTCARD)).toBe(true);
    expect(isFresh(addFallbackRecipient(openPreset(POSTCARD)), POSTCARD)).toBe(true);
    expect(isFresh(openPreset(LETTER), LETTER)).toBe(true);
  });

  test.each<[string, Draft]>([
    ["a value", write({ message: "H" })],
    ["an emptied value", write({ size: "" })],
    ["a recipient", write({ recipient: "1001" })],
    ["a body", write({}, { body: "{}" })],
    ["a path", write({}, { path: "postcards/creat" })],
    ["a method", write({}, { method: "PUT" })],
    ["a header", write({}, { headers: [] })],
  ])("%s counts as input", (_, draft) => {
    expect(isFresh(draft, POSTCARD)).toBe(false);
    expect(isSameDraft(draft, structuredClone(draft))).toBe(true);
  });
});

describe("the answer of a live send", () => {
  const answered = (response: Partial<ProxyResponse>) =>
    ({ kind: "answered", response: { error: null, credits: null, ...response } as ProxyResponse }) as const;
  test("makes its draft one that was mailed, when it was accepted", () => {
    const open = (initialDraft: Draft, error: string | null, draftFrom: "response" | null = null) =>
      findDraftOrigin({ presetCall: POSTCARD, draftFrom, initialDraft, answer: answered({ error }) });
    const live = write({ test: "" });
    const opened = [open(live, null), open(live, "No"), open(write({}), null)];
    expect(opened.map(({ mailed }) => mailed)).toEqual([true, false, false]);
    expect(open(live, null, "response")).toEqual({ as: "chosen" });
  });

  test("is accepted, refused or unknown", () => {
    const refused = { success: false, error: "Not enough credits" } as unknown as ProxyResponse["credits"];
    expect(toLiveStep(answered({}))).toBe("accepted");
    expect(toLiveStep(answered({ pending: true }))).toBe("unknown");
    expect(toLiveStep({ kind: "stopped", response: null })).toBe("unknown");
    expect(toLiveStep(answered({ error: "Not enough credits", credits: refused }))).toBe("refused");
  });
});
