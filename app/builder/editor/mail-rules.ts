import type { MailKind } from "./mail-kind";
import {
  formatReadiness,
  formatRecipientIncomplete,
  IN_LIVE,
  IN_TEST,
  LETTER_CONTENT_REQUIRED,
  LETTER_RECIPIENT_REQUIRED,
  NO_CONTENT,
  NO_RECIPIENT,
  NO_SIZE,
  POSTCARD_CONTENT_REQUIRED,
  POSTCARD_RECIPIENT_REQUIRED,
  SIZE_REQUIRED,
  VARIABLES_INVALID,
} from "./messages";

/** Form values by field name; a checked box is "true", a file its base64. */
type Values = Readonly<Record<string, string>>;

/** A rule that a mail form breaks, and the field it is about. */
export interface MailProblem {
  field: string;
  message: string;
}

/** Fields that a new recipient of a postcard needs. */
const NEW_RECIPIENT = [
  ["firstname", "first name"],
  ["lastname", "last name"],
  ["address1", "address line 1"],
  ["city", "city"],
  ["postcode", "postcode"],
  ["country", "country"],
] as const;

/** The rules that the values break. */
export function listMailProblems(kind: MailKind, values: Values): MailProblem[] {
  const problems = kind === "postcard" ? listPostcardProblems(values) : listLetterProblems(values);
  if (!isJsonObject(getValue(values, "variables"))) {
    problems.push({ field: "variables", message: VARIABLES_INVALID });
  }
  return problems;
}

function listPostcardProblems(values: Values): MailProblem[] {
  const problems: MailProblem[] = [];
  if (getValue(values, "size") === "") {
    problems.push({ field: "size", message: SIZE_REQUIRED });
  }
  if (getValue(values, "template") === "" && getValue(values, "front") === "") {
    problems.push({ field: "template", message: POSTCARD_CONTENT_REQUIRED });
  }
  const missing = NEW_RECIPIENT.filter(([name]) => getValue(values, `recipient_${name}`) === "");
  const begun = hasNewRecipient(values);
  if (!begun && getValue(values, "recipient") === "") {
    problems.push({ field: "recipient", message: POSTCARD_RECIPIENT_REQUIRED });
  } else if (begun && missing.length > 0) {
    problems.push({
      field: `recipient_${missing[0]?.[0]}`,
      message: formatRecipientIncomplete(missing.map(([, label]) => label)),
    });
  }
  return problems;
}

function listLetterProblems(values: Values): MailProblem[] {
  const problems: MailProblem[] = [];
  if (["template", "file", "content"].every((name) => getValue(values, name) === "")) {
    problems.push({ field: "template", message: LETTER_CONTENT_REQUIRED });
  }
  const begun = hasNewRecipient(values);
  const named = getValue(values, begun ? "recipient_firstname" : "recipient") !== "";
  if (!named) {
    problems.push({
      field: begun ? "recipient_firstname" : "recipient",
      message: LETTER_RECIPIENT_REQUIRED,
    });
  }
  return problems;
}

/** One line of the readiness checklist. */
export interface CheckLine {
  about: string;
  state: "ok" | "missing" | "info" | "warning";
}

/** The readiness checklist: size, content, recipient and mode, with a summary. */
export function buildChecklist(kind: MailKind, values: Values): { lines: CheckLine[]; summary: string } {
  const problems = listMailProblems(kind, values);
  const has = (...fields: string[]) => !problems.some(({ field }) => fields.includes(field));
  const line = (ok: boolean, done: string, open: string): CheckLine => ({
    about: ok ? done : open,
    state: ok ? "ok" : "missing",
  });
  const test = getValue(values, "test") === "true";
  const lines = [
    ...(kind === "postcard" ? [line(has("size"), `Size ${getValue(values, "size")}`, NO_SIZE)] : []),
    line(has("template"), `Content: ${formatSource(kind, values)}`, NO_CONTENT),
    line(
      !problems.some(({ field }) => field.startsWith("recipient")),
      `Recipient: ${formatChosenRecipient(values)}`,
      NO_RECIPIENT,
    ),
    test ? { about: IN_TEST, state: "info" as const } : { about: IN_LIVE, state: "warning" as const },
  ];
  return { lines, summary: formatReadiness(kind, problems.length) };
}

/** Whether any detail of a new recipient is filled in. A new recipient replaces the ID. */
function hasNewRecipient(values: Values): boolean {
  return Object.keys(values).some((name) => name.startsWith("recipient_") && getValue(values, name) !== "");
}

function formatSource(kind: MailKind, values: Values): string {
  if (getValue(values, "template") !== "") return `template ${getValue(values, "template")}`;
  if (kind === "postcard") return "front image";
  return getValue(values, "file") !== "" ? "PDF file" : "text";
}

function formatChosenRecipient(values: Values): string {
  if (!hasNewRecipient(values)) return getValue(values, "recipient");
  return [getValue(values, "recipient_firstname"), getValue(values, "recipient_lastname")]
    .filter(Boolean)
    .join(" ");
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

function getValue(values: Values, name: string): string {
  return (values[name] ?? "").trim();
}
