import { describe, expect, test } from "vitest";
import { type Draft, dropStandIn, standInRecipient } from "~/builder/draft";
import { listMailProblems, readChecklist } from "~/builder/mail-form/mail-rules";
import { readRecipients } from "~/builder/mail-form/recipients";
import type { ProxyResponse } from "~/sending/envelope";

const postcard = { size: "4x6", template: "21001", recipient: "1001", test: "true" };
const messages = (kind: "postcard" | "letter", values: Record<string, string>) =>
  listMailProblems(kind, values).map((problem) => problem.message);

describe("a postcard", () => {
  test("with size, content and recipient has no problem", () => {
    expect(messages("postcard", postcard)).toEqual([]);
  });

  test("names each rule it breaks", () => {
    expect(messages("postcard", { variables: "{" })).toEqual([
      "Size is required - please select a postcard dimension",
      "Either a template ID or front image is required to create the postcard",
      "A recipient is required: pick an existing one, or fill in the new recipient's details",
      "Variables must be valid JSON",
    ]);
  });

  test("a new recipient takes the place of the ID, and needs the whole address", () => {
    expect(
      messages("postcard", { ...postcard, recipient_firstname: "Jane", recipient_city: "Leeds" }),
    ).toEqual(["The new recipient still needs last name, address line 1, postcode and country"]);
  });

  test.each(["[1]", "7", '"a"', "null"])("variables %s are no object", (variables) => {
    expect(messages("postcard", { ...postcard, variables })).toEqual(["Variables must be valid JSON"]);
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
    expect(messages("letter", {})).toEqual([
      "Either template ID, PDF file, or text content is required",
      "A recipient is required: pick an existing one, or give the new recipient's first name",
    ]);
    expect(messages("letter", { content: "Hi", recipient_firstname: "Jane" })).toEqual([]);
  });
});

describe("the readiness checklist", () => {
  test("says what is ready", () => {
    const { lines, summary } = readChecklist("postcard", postcard);
    expect(summary).toBe("Ready to create postcard!");
    expect(lines.map(({ state }) => state)).toEqual(["ok", "ok", "ok", "info"]);
  });

  test("counts what needs attention, and warns of live mail", () => {
    const { lines, summary } = readChecklist("postcard", { size: "4x6" });
    expect(summary).toBe("2 issue(s) need attention");
    expect(lines.map(({ state }) => state)).toEqual(["ok", "missing", "missing", "warning"]);
  });
});

describe("recipients", () => {
  const answer = (data: unknown, text: string | null = null, error: string | null = null) =>
    ({ data, text, error }) as ProxyResponse;

  test("are read from data, else from text", () => {
    const row = { id: 7, firstname: "Jane", county: "OR" };
    const read = { state: "loaded", recipients: [expect.objectContaining({ id: "7", state: "OR" })] };
    expect(readRecipients(answer([row]))).toEqual(read);
    expect(readRecipients(answer(null, JSON.stringify([row])))).toEqual(read);
  });

  test.each([
    [null, "Failed to fetch recipients"],
    [answer([], null, "no"), "Failed to fetch recipients"],
    [answer({}, "{}"), "Invalid response format from recipients API"],
    [answer(null, "<html>"), "Failed to parse recipients response"],
  ])("%j: %s", (response, reason) => {
    expect(readRecipients(response)).toEqual({ state: "failed", reason });
  });

  test("a stand-in is for tests that name nobody, and goes when it becomes live", () => {
    const draft = { values: { test: "true" } } as unknown as Draft;
    const stood = standInRecipient(draft, "1001");
    expect(stood.values.recipient).toBe("1001");
    expect(dropStandIn(stood)).toBe(stood);
    expect(dropStandIn({ ...stood, values: { ...stood.values, test: "" } }).values.recipient).toBe("");
    const live = { values: { test: "" } } as unknown as Draft;
    expect(standInRecipient(live, "1001")).toBe(live);
    const named = { values: { test: "true", recipient_city: "Leeds" } } as unknown as Draft;
    expect(standInRecipient(named, "1001")).toBe(named);
  });
});
