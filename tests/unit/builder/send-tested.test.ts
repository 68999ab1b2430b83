import { describe, expect, test } from "vitest";
import { type Draft, openPreset } from "~/builder/draft/draft";
import { applyMode } from "~/builder/draft/mode";
import { buildRequest } from "~/builder/draft/request";
import { buildTestedRequest } from "~/builder/send/proxy-request";
import { listChanges, type TestedPiece } from "~/builder/send/tested-piece";
import { LETTER_FIELDS, LETTER_START, POSTCARD_FIELDS, POSTCARD_START } from "~/catalogue/mail-fields";
import type { FormField, PresetCall } from "~/catalogue/types";
import { findPdfAddress } from "~/outside/mail-provider/provider-pdf.server";
import { listDifferences } from "~/pieces/tested/tested-changes";
import { hashTestedCall } from "~/pieces/tested/tested-piece.server";
import { prepareCall, toMailCall } from "~/proxy/prepare-call.server";
import { parseSendInput } from "~/proxy/send-request.schema.server";

const choices = { method: "POST", query: {}, headers: {} } as const;
const FORMS: [string, PresetCall][] = [
  ["postcard", { ...choices, path: "postcards/create", body: POSTCARD_START, fields: POSTCARD_FIELDS }],
  ["letter", { ...choices, path: "letters/create", body: LETTER_START, fields: LETTER_FIELDS }],
];
const PLACE = { address1: "1 Way", city: "York", postcode: "Y1", country: "GB" };
const NEW_RECIPIENT = { firstname: "Jo", lastname: "Ray", ...PLACE };

/** A complete form with every field filled that can be. */
function fill(template: PresetCall): Draft {
  const draft = openPreset(template);
  for (const field of template.fields)
    if (field.name !== "recipient") draft.values[field.name] ||= sample(field, 0);
  for (const [name, value] of Object.entries(NEW_RECIPIENT)) draft.values[`recipient_${name}`] = value;
  return applyMode(draft, template, false);
}

function sample(field: FormField, at: number): string {
  if (field.type === "select") return field.options?.[at] ?? "";
  if (field.type === "boolean") return at === 0 ? "true" : "";
  if (field.name === "variables") return `{"n":${at}}`;
  return field.type === "number" ? String(at + 1) : `${field.name} ${at}`;
}

/** A copy with another value in one field. */
function edit(draft: Draft, field: FormField): Draft {
  const now = draft.values[field.name] ?? "";
  const next = [0, 1].map((at) => sample(field, at)).find((value) => value !== now) ?? "";
  return { ...draft, values: { ...draft.values, [field.name]: next } };
}

const AROUND = { baseUrl: "https://api-us1.stannp.com/v1", userId: "auth-ana" };

function hash(request: object) {
  const input = parseSendInput({ ...request, baseUrl: AROUND.baseUrl });
  const call = input.ok ? prepareCall(input.value) : input;
  const mail = call.ok ? toMailCall(call.value) : null;
  if (mail === null) throw new Error("This request mails nothing.");
  return { live: mail.live, ...hashTestedCall(mail, AROUND.userId) };
}

describe.each(FORMS)("A tested %s", (mailType, template) => {
  const tested = fill(template);
  const proved = hash(buildRequest(tested, template));
  const piece: TestedPiece = {
    offer: { id: "p", cost: "0.99", pdf: null },
    mailType: mailType as TestedPiece["mailType"],
    draft: tested,
    choices: AROUND,
    sent: null,
  };
  const fields = template.fields.filter(({ name }) => name !== "test");

  test("is the same call when it is sent live, except for test", () => {
    const sentLive = hash(buildTestedRequest(tested, template));
    expect(proved.live).toBe(false);
    expect(sentLive.live).toBe(true);
    expect(sentLive.callHash).toBe(proved.callHash);
    expect(listChanges(piece, tested, AROUND)).toEqual([]);
    expect(listChanges(piece, applyMode(tested, template, true), AROUND)).toEqual([]);
  });

  test.each(fields.map((field) => [field.name, field] as const))(
    "differs once its %s is edited, and not after undoing that",
    (name, field) => {
      const edited = edit(tested, field);
      // The ID is not sent with a new recipient.
      const unused = name === "recipient";
      expect(listChanges(piece, edited, AROUND)).toEqual(unused ? [] : [name.replaceAll("_", " ")]);
      expect(listChanges(piece, { ...edited, values: { ...tested.values } }, AROUND)).toEqual([]);
      const sentLive = hash(buildTestedRequest(edited, template));
      expect(sentLive.callHash === proved.callHash).toBe(unused);
      const before = new Map(Object.entries(proved.partHashes));
      const differences = listDifferences(before, new Map(Object.entries(sentLive.partHashes)));
      expect(differences).toEqual(unused ? [] : [name.replace(/^recipient_/, "recipient ")]);
    },
  );

  test("differs for another payer, base URL, path or body", () => {
    expect(listChanges(piece, tested, { ...AROUND, userId: "auth-ben" })).toEqual(["current user"]);
    expect(listChanges(piece, tested, { ...AROUND, baseUrl: "https://api-eu1.stannp.com/v1" })).toEqual([
      "base URL",
    ]);
    expect(listChanges(piece, { ...tested, path: "letters/post" }, AROUND)).toEqual(["path"]);
    expect(listChanges(piece, { ...tested, body: "{}" }, AROUND)).toEqual(["body"]);
  });

  test("edited by hand is sent live without its test field, whatever its value", () => {
    for (const value of [true, 1, "yes", "on"]) {
      const body = { size: "4x6", template: "1", test: value, recipient: 7 };
      const draft = { ...tested, body: JSON.stringify(body) };
      const byHand = hash(buildRequest(draft, template));
      const sentLive = hash(buildTestedRequest(draft, template));
      expect([byHand.live, sentLive.live]).toEqual([false, true]);
      expect(sentLive.callHash).toBe(byHand.callHash);
    }
  });
});

test("fields with similar names are not confused", () => {
  const body = { test: true, recipient: { city: "York" } };
  const nested = { path: "postcards/create", method: "POST", body };
  const flat = { ...nested, body: { test: true, "recipient city": "York" } };
  expect(hash(nested).callHash).not.toBe(hash(flat).callHash);
});

describe("The provider's PDF is fetched", () => {
  test.each([
    "https://us.stannp.com/api/v1/storage/get/5f0c/sample.pdf",
    "https://api-us1.stannp.com/v1/storage/get/77b2/sample.pdf?x=1#page=2",
    "https://stannp.com/a.pdf",
    "https://a.b.stannp.com/a.pdf",
  ])("from %s", (address) => {
    expect(findPdfAddress(address)?.href).toBe(address.replace(/#.*/, ""));
  });

  const elsewhere = String.raw`http://us.stannp.com/a.pdf https://stannp.com.evil.example/a.pdf https://evilstannp.com/a.pdf
    https://us.stannp.com:8443/a.pdf https://us.stannp.com@evil.example/a.pdf https://user:word@us.stannp.com/a.pdf
    https://us.stannp.com.:443@evil.example/ https://evil.example\@us.stannp.com/a.pdf //us.stannp.com/a.pdf
    /v1/storage/get/a.pdf file:///etc/passwd data:application/pdf;base64,JVBERi0= javascript:alert(1)
    ftp://us.stannp.com/a.pdf https://127.0.0.1/a.pdf http://127.0.0.1:9000/a.pdf https://localhost/a.pdf https://[::1]/a.pdf
    https://169.254.169.254/latest/meta-data https://2130706433/a.pdf https://com/a.pdf`;
  test.each(["", "https://us.stannp.com /a.pdf", ...elsewhere.split(/\s+/)])("never from %s", (address) => {
    expect(findPdfAddress(address)).toBeNull();
  });
});
