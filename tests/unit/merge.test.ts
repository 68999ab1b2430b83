import { describe, expect, it } from "vitest";
import { listFindings } from "~/print/layout/findings";
import { layoutLetterText } from "~/print/layout/letter-layout";
import { buildPreviewState } from "~/print/layout/preview-content";
import { fillVariables } from "~/print/merge/merge";
import { mergeBody } from "~/print/merge/merge-body.server";
import { finishMailBody } from "~/sending/mail-body.server";
import { prepareCall } from "~/sending/prepare.server";
import { parseSendInput } from "~/sending/send-request.schema.server";
import { readLetter } from "../support/letter-reader";

describe("merge variables", () => {
  const recipient = { firstname: "Jane", city: "Portland", lastname: "" };

  it("are filled from the recipient and from the variables", () => {
    const merged = fillVariables(
      "Dear {firstname} of {city}: {offer}, {n}",
      recipient,
      '{"offer":"10 %","n":3}',
    );
    expect(merged).toEqual({ text: "Dear Jane of Portland: 10 %, 3", unknown: [] });
    expect(fillVariables("{offer}", null, { offer: "10 %" }).text).toBe("10 %");
  });

  it("are filled without the spaces typed around a detail", () => {
    expect(fillVariables("Dear {firstname}, {city}", { firstname: " Jane ", city: " " }, "")).toEqual({
      text: "Dear Jane, {city}",
      unknown: ["city"],
    });
  });

  it("stay visible and are listed once where nothing fills them", () => {
    const merged = fillVariables("{code} {lastname} {code} {constructor}", recipient, "{}");
    expect(merged).toEqual({
      text: "{code} {lastname} {code} {constructor}",
      unknown: ["code", "lastname", "constructor"],
    });
  });

  it.each(['{"offer":', "[1]", "null", '"offer"', '{"offer":{"a":1}}', ""])(
    "are unknown where the variables are %j",
    (variables) => {
      expect(fillVariables("{offer}", null, variables).unknown).toEqual(["offer"]);
    },
  );

  it("are not read again in what filled them", () => {
    expect(fillVariables("{a}", null, '{"a":"{firstname} $&"}')).toEqual({
      text: "{firstname} $&",
      unknown: [],
    });
  });
});

describe("a letter or postcard on its way out", () => {
  const jane = { firstname: "Jane", address1: "14 Mill Lane", code: "own" };
  const variables = '{"offer":"10 %","code":"other","city":"Leeds","Address2":"Flat 1","bad name":"x"}';

  it("has its texts filled and its variables among the recipient's details, never over them or the address", () => {
    const { body, unknown } = mergeBody({
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

  it("has them in the spelling that the request has", () => {
    const fields = {
      content: "{firstname} {offer}",
      "recipient[firstname]": "Jane",
      variables: { offer: 3 },
    };
    expect(mergeBody(fields).body).toEqual({ ...fields, content: "Jane 3", "recipient[offer]": "3" });
  });

  it("has nothing of a recipient who is an ID, and no variables beside one", () => {
    const fields = { message: "Dear {firstname}: {offer}", recipient: 1001, variables };
    expect(mergeBody(fields)).toEqual({
      body: { ...fields, message: "Dear {firstname}: 10 %" },
      unknown: ["firstname"],
    });
  });

  it("is otherwise as it was", () => {
    const fields = { front: "{a}", template: "{b}", tags: ["{c}"], message: 3, recipient: "1001" };
    expect(mergeBody(fields)).toEqual({ body: fields, unknown: [] });
  });
});

describe("a letter's text", () => {
  const values = {
    content: "Dear {firstname} <{email}>,\n{offer} until {day}",
    recipient_firstname: "Jane",
    recipient_address1: "14 Mill Lane",
    recipient_email: "jane@example.com",
    variables: '{"offer":"10 % off"}',
  };
  const around = { kind: "letter", files: {}, recipients: [], home: "US" } as const;

  it("is printed with the words of its proof", async () => {
    const proof = layoutLetterText(buildPreviewState({ ...around, values }));
    const { content, variables } = values;
    const recipient = { firstname: "Jane", address1: "14 Mill Lane", email: "jane@example.com" };
    const body = { test: true, content, variables, recipient };
    const input = parseSendInput({ path: "letters/create", method: "POST", body });
    const call = input.ok ? prepareCall(input.value) : input;
    const finished = call.ok ? await finishMailBody(call.value) : call;
    if (!finished.ok) throw new Error(finished.failure.message);
    const { notice } = finished.value;
    const { file } = finished.value.call.body as { file: string };
    const [page] = await readLetter(Uint8Array.from(Buffer.from(file, "base64")));
    expect(page?.text.trim()).toBe("Dear Jane <jane@example.com>,\n10 % off until {day}");
    expect(page?.text.trim()).toBe(proof.pages[0]);
    expect(notice).toBe("Nothing filled {day}: the letter has it as it stands.");
  });

  it("is not filled from what the list shows of an ID, and its proof says why", () => {
    const listed = { id: "1001", firstname: "Jane", postcode: "97205" };
    const state = buildPreviewState({
      ...around,
      values: { content: "Dear {firstname}", recipient: "1001", template: "", variables: "" },
      recipients: [listed],
    });
    expect(layoutLetterText(state)).toEqual({ pages: ["Dear {firstname}"], unknown: ["firstname"] });
    expect(listFindings(state)[0]?.text).toBe(
      "Nothing fills {firstname}: it would be printed as it stands. A recipient's ID brings no details along: give new details, or write it out.",
    );
  });

  it("beside a template and an ID the variables are told to be lost", () => {
    const state = buildPreviewState({
      ...around,
      values: { recipient: "1001", template: "21001", variables: '{"offer":"x"}' },
    });
    expect(listFindings(state).map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^The variables reach a template with a new recipient's details only/),
    );
  });
});
