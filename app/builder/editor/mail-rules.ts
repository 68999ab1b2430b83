import type { MailKind } from "./mail-kind";

/** Form values by field name; a checked box is "true", a file its base64. */
type Values = Readonly<Record<string, string>>;

/** What a mail form lacks, and the field it is about. */
export interface MailProblem {
  field: string;
  message: string;
}

/** Fields that a new recipient of a postcard needs (spec §5). */
const NEW_RECIPIENT = [
  ["firstname", "first name"],
  ["lastname", "last name"],
  ["address1", "address line 1"],
  ["city", "city"],
  ["postcode", "postcode"],
  ["country", "country"],
] as const;

/** Spec §5 Postcard, Letter: one sentence for each rule that the values break. */
export function listMailProblems(kind: MailKind, values: Values): MailProblem[] {
  const problems = kind === "postcard" ? listPostcardProblems(values) : listLetterProblems(values);
  if (!isJsonObject(read(values, "variables"))) {
    problems.push({ field: "variables", message: "Variables must be valid JSON" });
  }
  return problems;
}

function listPostcardProblems(values: Values): MailProblem[] {
  const problems: MailProblem[] = [];
  if (read(values, "size") === "") {
    problems.push({ field: "size", message: "Size is required - please select a postcard dimension" });
  }
  if (read(values, "template") === "" && read(values, "front") === "") {
    problems.push({
      field: "template",
      message: "Either a template ID or front image is required to create the postcard",
    });
  }
  const missing = NEW_RECIPIENT.filter(([name]) => read(values, `recipient_${name}`) === "");
  const begun = hasNewRecipient(values);
  if (!begun && read(values, "recipient") === "") {
    problems.push({
      field: "recipient",
      message: "A recipient is required: pick an existing one, or fill in the new recipient's details",
    });
  } else if (begun && missing.length > 0) {
    problems.push({
      field: `recipient_${missing[0]?.[0]}`,
      message: `The new recipient still needs ${joinWords(missing.map(([, label]) => label))}`,
    });
  }
  return problems;
}

function listLetterProblems(values: Values): MailProblem[] {
  const problems: MailProblem[] = [];
  if (["template", "file", "content"].every((name) => read(values, name) === "")) {
    problems.push({
      field: "template",
      message: "Either template ID, PDF file, or text content is required",
    });
  }
  const begun = hasNewRecipient(values);
  const named = read(values, begun ? "recipient_firstname" : "recipient") !== "";
  if (!named) {
    problems.push({
      field: begun ? "recipient_firstname" : "recipient",
      message: "A recipient is required: pick an existing one, or give the new recipient's first name",
    });
  }
  return problems;
}

/** One line of the readiness checklist (spec §2). */
export interface CheckLine {
  about: string;
  state: "ok" | "missing" | "info" | "warning";
}

/** Size, content source, recipient and test mode, with a summary (spec §2 Postcard form). */
export function buildChecklist(kind: MailKind, values: Values): { lines: CheckLine[]; summary: string } {
  const problems = listMailProblems(kind, values);
  const has = (...fields: string[]) => !problems.some(({ field }) => fields.includes(field));
  const line = (ok: boolean, done: string, open: string): CheckLine => ({
    about: ok ? done : open,
    state: ok ? "ok" : "missing",
  });
  const test = read(values, "test") === "true";
  const lines = [
    ...(kind === "postcard" ? [line(has("size"), `Size ${read(values, "size")}`, "No size selected")] : []),
    line(has("template"), `Content: ${formatSource(kind, values)}`, "No content yet"),
    line(
      !problems.some(({ field }) => field.startsWith("recipient")),
      `Recipient: ${formatChosenRecipient(values)}`,
      "No complete recipient",
    ),
    test
      ? { about: "Test mode: a sample PDF, nothing is mailed", state: "info" as const }
      : { about: "Live: this will be printed and posted", state: "warning" as const },
  ];
  const count = problems.length;
  const summary = count > 0 ? `${count} issue(s) need attention` : `Ready to create ${kind}!`;
  return { lines, summary };
}

/** Whether details of a new recipient were begun: they take the place of the ID (spec §5). */
function hasNewRecipient(values: Values): boolean {
  return Object.keys(values).some((name) => name.startsWith("recipient_") && read(values, name) !== "");
}

function formatSource(kind: MailKind, values: Values): string {
  if (read(values, "template") !== "") return `template ${read(values, "template")}`;
  if (kind === "postcard") return "front image";
  return read(values, "file") !== "" ? "PDF file" : "text";
}

function formatChosenRecipient(values: Values): string {
  if (!hasNewRecipient(values)) return read(values, "recipient");
  return [read(values, "recipient_firstname"), read(values, "recipient_lastname")].filter(Boolean).join(" ");
}

function isJsonObject(text: string): boolean {
  if (text === "") return true;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function joinWords(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function read(values: Values, name: string): string {
  return (values[name] ?? "").trim();
}
