import { describe, expect, test } from "vitest";
import { openPreset } from "~/builder/draft/draft";
import {
  formatRecipientAmbiguous,
  formatRecipientIncomplete,
  formatRecipientNotFound,
  LETTER_CONTENT_REQUIRED,
  LETTER_RECIPIENT_REQUIRED,
  listMailProblems,
  POSTCARD_CONTENT_REQUIRED,
  POSTCARD_RECIPIENT_REQUIRED,
  SIZE_REQUIRED,
  VARIABLES_INVALID,
} from "~/builder/draft/mail-rules";
import {
  formatRecipientRow,
  type ListedRecipient,
  resolveRecipient,
  searchRecipients,
} from "~/builder/draft/recipients";
import { buildRequest } from "~/builder/draft/request";
import { buildChecklist, formatRecipientUnknown } from "~/builder/forms/checklist";
import { orderTemplates } from "~/builder/forms/provider-template-picker";
import { parseList, RECIPIENTS, TEMPLATES } from "~/builder/send/provider-list";
import { LETTER_FIELDS, POSTCARD_FIELDS } from "~/catalogue/mail-fields";
import type { PresetCall } from "~/catalogue/types";
import { formatNoValue } from "~/print/merge/merge";
import type { ProxyResponse } from "~/proxy/answer.schema.server";

const postcard = { size: "4x6", template: "21001", recipient: "1001", test: "true" };
const messages = (kind: "postcard" | "letter", values: Record<string, string>) =>
  listMailProblems(kind, values).map((problem) => problem.message);

describe("a postcard", () => {
  test("with size, content and recipient has no problem", () => {
    expect(messages("postcard", postcard)).toEqual([]);
  });

  test("gets a message for each rule it breaks", () => {
    expect(messages("postcard", { variables: "{" })).toEqual([
      SIZE_REQUIRED,
      POSTCARD_CONTENT_REQUIRED,
      POSTCARD_RECIPIENT_REQUIRED,
      VARIABLES_INVALID,
    ]);
  });

  test("a new recipient replaces the ID and needs the whole address", () => {
    const missing = formatRecipientIncomplete(["last name", "address line 1", "postcode", "country"]);
    const typed = { ...postcard, recipient_firstname: "Jane", recipient_city: "Leeds" };
    expect(messages("postcard", typed)).toEqual([missing]);
  });

  test.each(["[1]", "7", '"a"', "null"])("variables %s are not a JSON object", (variables) => {
    expect(messages("postcard", { ...postcard, variables })).toEqual([VARIABLES_INVALID]);
  });
});

describe("a letter", () => {
  test.each<Record<string, string>>([{ template: "21005" }, { file: "JVBERi0=" }, { content: "Dear Jane" }])(
    "%j is content",
    (content) => {
      expect(messages("letter", { recipient: "1001", ...content })).toEqual([]);
    },
  );

  test("needs content, and a recipient or a first name", () => {
    expect(messages("letter", {})).toEqual([LETTER_CONTENT_REQUIRED, LETTER_RECIPIENT_REQUIRED]);
    expect(messages("letter", { content: "Hi", recipient_firstname: "Jane" })).toEqual([]);
  });
});

describe("the body", () => {
  const around = { method: "POST", query: {}, headers: {}, body: { test: true } } as const;
  const templates: Record<"postcard" | "letter", PresetCall> = {
    postcard: { ...around, path: "postcards/create", fields: POSTCARD_FIELDS },
    letter: { ...around, path: "letters/create", fields: LETTER_FIELDS },
  };
  const build = (kind: "postcard" | "letter", values: Record<string, string>) => {
    const draft = openPreset(templates[kind]);
    return buildRequest({ ...draft, values: { ...draft.values, ...values } }, templates[kind]).body;
  };
  const letter = { content: "Dear Jane", recipient: "1001" };

  test.each<["postcard" | "letter", string, Record<string, string>]>([
    ["postcard", "size", { ...postcard, size: "" }],
    ["postcard", "whole new recipient", { ...postcard, recipient_firstname: "Jane" }],
    ["postcard", "JSON variables", { ...postcard, variables: "{" }],
    ["letter", "content", { ...letter, content: "" }],
  ])("of a %s without %s is empty", (kind, _, values) => {
    expect(build(kind, values)).toEqual({});
  });

  test("of a letter has the number of pages as a number, and none if none is given", () => {
    expect(build("letter", { ...letter, pages: " 3 " })).toMatchObject({ ...letter, pages: 3 });
    expect(build("letter", letter)).not.toHaveProperty("pages");
  });
});

describe("the readiness checklist", () => {
  test("counts the issues and warns of live mail", () => {
    const { lines, summary } = buildChecklist("postcard", { size: "4x6" });
    expect(summary).toBe("2 issue(s) need attention");
    expect(lines.map(({ state }) => state)).toEqual(["ok", "missing", "missing", "live"]);
  });

  test("names a saved recipient that is not found, unless the name can still match", () => {
    const blank = { company: "", address1: "", city: "", state: "", postcode: "", country: "" };
    const listed = [{ ...blank, id: "1002", firstname: "Zoë", lastname: "Müller" }];
    const recipientLine = (recipient: string) =>
      buildChecklist("postcard", { ...postcard, recipient }, listed).lines[2]?.text;
    expect(recipientLine("Unknown")).toBe(formatRecipientUnknown("Unknown"));
    expect(recipientLine("zo")).toBe(formatRecipientNotFound("zo"));
    expect(recipientLine("1002")).toBe("Recipient: Zoë Müller");
  });
});

describe("recipients", () => {
  const answer = (data: unknown, text: string | null = null, error: string | null = null, status = 200) =>
    ({ data, text, error, status }) as ProxyResponse;

  test("come from data, else from text", () => {
    const row = { id: 7, firstname: "Jane", county: "OR" };
    const read = { state: "loaded", rows: [expect.objectContaining({ id: "7", state: "OR" })] };
    expect(parseList(RECIPIENTS, answer([row]))).toEqual(read);
    expect(parseList(RECIPIENTS, answer(null, JSON.stringify([row])))).toEqual(read);
  });

  test.each([
    [null, "Failed to fetch recipients"],
    [answer([], null, "no"), "Failed to fetch recipients"],
    [answer(null, '{"success":false}', "no"), "Failed to fetch recipients"],
    [answer(null, "<html>", "HTML instead of JSON", 502), "Failed to fetch recipients"],
    [answer(null, "<html>", "HTML instead of JSON"), "Failed to parse recipients response"],
    [answer(null, "", "the answer is empty"), "Failed to parse recipients response"],
    [answer({}, "{}"), "Invalid response format from recipients API"],
    [answer(null, "<html>"), "Failed to parse recipients response"],
  ])("%j: %s", (response, reason) => {
    expect(parseList(RECIPIENTS, response)).toEqual({ state: "failed", reason });
  });
});

describe("a saved recipient", () => {
  const person = (id: string, firstname: string, lastname: string, more = {}): ListedRecipient => ({
    ...{ id, firstname, lastname, company: "", address1: "", city: "", state: "", postcode: "", country: "" },
    ...more,
  });
  const listed = [
    person("1", "Zoë", "Müller", { city: "Łódź", postcode: "97205" }),
    person("2", "Jane", "Smith", { company: "Harbour Books", address1: "14 Mill Lane" }),
    person("3", "Jane", "Smith", { address1: "2 Elm Street" }),
  ];
  const problems = (values: Record<string, string>) =>
    listMailProblems("postcard", { ...postcard, ...values }, listed).map(({ message }) => message);

  test.each([
    ["zoe muller", ["1"]],
    ["97205", ["1"]],
    ["SMITH harbour", ["2"]],
    ["3", ["3"]],
    ["smith", ["2", "3"]],
    ["missing", []],
  ])("is found by %j", (words, ids) => {
    expect(searchRecipients(words, listed).map(({ id }) => id)).toEqual(ids);
  });

  test("is looked up by a name that only one has", () => {
    expect(resolveRecipient("zoe  MULLER", listed)).toBe("1");
    expect(resolveRecipient("Jane Smith", listed)).toBe("Jane Smith");
    expect(problems({ recipient: "Jane Smith" })).toEqual([formatRecipientAmbiguous("Jane Smith")]);
    expect(problems({ recipient: "Jo" })).toEqual([formatRecipientNotFound("Jo")]);
    expect(problems({ recipient: "999" })).toEqual([]);
  });

  test("is distinguished from another with the same name", () => {
    expect(new Set(listed.map(formatRecipientRow)).size).toBe(listed.length);
  });

  test("fills the text like a new one, and a missing value is a problem", () => {
    expect(problems({ recipient: "1", message: "{firstname} {{city}}" })).toEqual([]);
    expect(problems({ recipient: "1", message: "{company} {day}", variables: '{"day":"Friday"}' })).toEqual([
      formatNoValue(["company"]),
    ]);
    // Not in the list, so the server decides.
    expect(problems({ recipient: "999", message: "{company}" })).toEqual([]);
  });

  test("and a new one are both stored, and only the chosen one counts", () => {
    const both = { recipient: "1", recipient_firstname: "Jo" };
    expect(problems({ ...both, send_to: "saved" })).toEqual([]);
    expect(problems({ ...both, send_to: "new" })).toHaveLength(1);
  });
});

describe("templates", () => {
  const template = (id: string, size: string) => ({ id, name: "", size, pages: "", picture: null });
  const listed = [template("1", "4X6"), template("2", "US-LETTER"), template("3", "6X9"), template("4", "")];
  const ids = (size: string | null) => orderTemplates(listed, size).fitting.map(({ id }) => id);

  test("that fit come first: those of the postcard's size, or of any letter", () => {
    expect(ids("6x9")).toEqual(["3"]);
    expect(ids("")).toEqual(["1", "3", "4"]);
    expect(ids(null)).toEqual(["2"]);
  });

  test("without hidden ones, and with pictures from the web only", () => {
    const row = { template_name: "Spring", size: "4X6", page_count: 2, is_hidden: "0" };
    const rows = [
      { ...row, id: 7, image: "https://example.com/7.png" },
      { ...row, id: 8, image: "javascript:alert(1)" },
      { ...row, id: 9, is_hidden: "1" },
    ];
    const response = { data: rows, text: null, error: null, status: 200 } as unknown as ProxyResponse;
    expect(parseList(TEMPLATES, response)).toMatchObject({
      state: "loaded",
      rows: [
        { id: "7", name: "Spring", pages: "2", picture: "https://example.com/7.png" },
        { id: "8", picture: null },
      ],
    });
  });
});
