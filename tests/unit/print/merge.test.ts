import { describe, expect, it } from "vitest";
import { finishMailBody } from "~/pieces/send/mail-body.server";
import { buildMailCall } from "~/pieces/send/mail-call.server";
import { listFindings } from "~/print/layout/findings";
import { fillText } from "~/print/layout/layout";
import { buildPreviewState } from "~/print/layout/preview-content";
import { EMPTY_DRAWING } from "~/print/letter/page";
import { fillVariables } from "~/print/merge/merge";
import { mergeBody } from "~/print/merge/merge-body.server";
import { formatFilledLater } from "~/print/messages";
import { readLetter } from "../../support/files/letter-reader";

const LAID_OUT = { drawing: EMPTY_DRAWING, problem: null };

function merge(fields: Record<string, unknown>) {
  const merged = mergeBody(fields);
  if (!merged.ok) throw new Error(merged.failure.message);
  return merged.value;
}

describe("merge variables", () => {
  const recipient = { firstname: "Jane", city: "Portland", lastname: "" };

  const offers = '{"offer":"10 %","n":3}';
  it.each<[string, string, Record<string, string> | null, string | object, string, string[]]>([
    [
      "from recipient and variables",
      "{firstname} of {city}: {offer}, {n}",
      recipient,
      offers,
      "Jane of Portland: 10 %, 3",
      [],
    ],
    ["from an object", "{offer}", null, { offer: "10 %" }, "10 %", []],
    [
      "without spaces around a detail",
      "{firstname}, {city}",
      { firstname: " Jane ", city: " " },
      "",
      "Jane, {city}",
      ["city"],
    ],
    [
      "in one brace or two",
      "{{firstname}} {{ city }} {firstname} {{day}}",
      recipient,
      "",
      "Jane Portland Jane {{day}}",
      ["day"],
    ],
    [
      "not without a value, listed once",
      "{code} {lastname} {code} {constructor}",
      recipient,
      "{}",
      "{code} {lastname} {code} {constructor}",
      ["code", "lastname", "constructor"],
    ],
    [
      "by their defaults without a value",
      "{firstname|you} {lastname|friend}, {{ company | your firm }}, {day|}",
      recipient,
      "",
      "Jane friend, your firm, {day|}",
      ["day"],
    ],
    ["not again inside their values", "{a}", null, '{"a":"{firstname} $&"}', "{firstname} $&", []],
  ])("are filled %s", (_how, typed, details, variables, text, unknown) => {
    expect(fillVariables(typed, details, variables as string)).toEqual({ text, unknown });
  });

  it.each(['{"offer":', "[1]", "null", '"offer"', '{"offer":{"a":1}}', ""])(
    "have no value when the variables are %j",
    (variables) => {
      expect(fillVariables("{offer}", null, variables).unknown).toEqual(["offer"]);
    },
  );
});

describe("a filled text that would be too long", () => {
  const variables = { a: "x".repeat(40_000) };
  const content = "{a}".repeat(10_000);

  it("is not created, because its length is known first", () => {
    expect(fillVariables(content, null, variables)).toEqual({
      text: content,
      unknown: [],
      tooLong: 400_000_000,
    });
    expect(fillVariables("{a}".repeat(100_000), null, { a: "x".repeat(1_000_000) }).tooLong).toBe(1e11);
    expect(fillVariables("{a}{b}".repeat(4), null, variables).text).toHaveLength(160_012);
  });

  it.each([
    { content, variables },
    { message: content, variables: JSON.stringify(variables) },
    { content: "{firstname}".repeat(10_000), recipient: { firstname: "x".repeat(40_000) } },
  ])("is refused before anything is sent", (fields) => {
    expect(mergeBody(fields)).toMatchObject({ ok: false, failure: { code: "too_large" } });
  });

  it("does not blame the variables when the text itself is long", () => {
    const long = "y".repeat(300_000);
    expect(merge({ content: long }).body.content).toBe(long);
  });
});

describe("the body of a letter or postcard", () => {
  const jane = { firstname: "Jane", address1: "14 Mill Lane", code: "own" };
  const variables = '{"offer":"10 %","code":"other","city":"Leeds","Address2":"Flat 1","bad name":"x"}';

  it("gets its texts filled and its variables added to the recipient's details, without replacing any", () => {
    const { body, unknown } = merge({
      message: "Dear {firstname}: {offer}, {code}, {until}",
      recipient: jane,
      variables,
    });
    expect(body).toEqual({
      message: "Dear Jane: 10 %, own, {until}",
      recipient: { ...jane, offer: "10 %" },
      variables,
    });
    expect(unknown).toEqual(["until"]);
  });

  it("gets them in the spelling of the request", () => {
    const fields = {
      content: "{firstname} {offer}",
      "recipient[firstname]": "Jane",
      variables: { offer: 3 },
    };
    expect(merge(fields).body).toEqual({ ...fields, content: "Jane 3", "recipient[offer]": "3" });
  });

  it("gets no details and no variables for a saved recipient", () => {
    const fields = { message: "Dear {firstname}: {offer}", recipient: 1001, variables };
    expect(merge(fields)).toEqual({
      body: { ...fields, message: "Dear {firstname}: 10 %" },
      unknown: ["firstname"],
    });
  });

  it("is otherwise unchanged", () => {
    const fields = { front: "{a}", template: "{b}", tags: ["{c}"], message: 3, recipient: "1001" };
    expect(merge(fields)).toEqual({ body: fields, unknown: [] });
  });
});

describe("a letter's text", () => {
  const values = {
    content: "Dear {firstname} <{{email}}>,\n{offer}",
    recipient_firstname: "Jane",
    recipient_address1: "14 Mill Lane",
    recipient_email: "jane@example.com",
    variables: '{"offer":"10 % off"}',
  };
  const around = { kind: "letter", files: {}, recipients: [], home: "US" } as const;

  it("is printed as in its preview", async () => {
    const preview = fillText(buildPreviewState({ ...around, values }));
    const { content, variables } = values;
    const recipient = { firstname: "Jane", address1: "14 Mill Lane", email: "jane@example.com" };
    const fields = { content, variables, recipient };
    const call = buildMailCall({ path: "letters/create", test: true, fields, baseUrl: null });
    const finished = call.ok ? await finishMailBody(call.value) : call;
    if (!finished.ok) throw new Error(finished.failure.message);
    const { file } = finished.value.call.body as { file: string };
    const [page] = await readLetter(Uint8Array.from(Buffer.from(file, "base64")));
    expect(page?.text.trim()).toBe("Dear Jane <jane@example.com>,\n10 % off");
    expect(page?.text.trim()).toBe(preview.text);
  });

  it("is filled from the list for a saved recipient, or by the server if the list lacks it", () => {
    const listed = { id: "1001", firstname: "Jane", postcode: "97205" };
    const letter = { content: "Dear {firstname}", recipient: "1001", template: "", variables: "" };
    const state = buildPreviewState({ ...around, values: letter, recipients: [listed] });
    expect(fillText(state)).toEqual({ text: "Dear Jane", unknown: [] });
    expect(listFindings(buildPreviewState({ ...around, values: letter }), LAID_OUT)[0]).toMatchObject({
      code: "filled_later",
      tone: "info",
      text: formatFilledLater(["firstname"], "1001"),
    });
  });

  it("with a template and a saved recipient is reported as losing its variables", () => {
    const state = buildPreviewState({
      ...around,
      values: { recipient: "1001", template: "21001", variables: '{"offer":"x"}' },
    });
    expect(listFindings(state, null).map(({ code }) => code)).toContain("variables_lost");
  });
});
