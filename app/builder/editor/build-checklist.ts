import type { Finding } from "~/print/layout/finding";
import type { MailKind } from "./mail-kind";
import {
  formatReadiness,
  formatRecipientUnknown,
  IN_LIVE,
  IN_TEST,
  NO_CONTENT,
  NO_RECIPIENT,
  NO_SIZE,
} from "./messages";
import { findRecipientChoice } from "./recipient/recipient-choice";
import {
  formatRecipient,
  isRecipientId,
  type ListedRecipient,
  searchRecipients,
} from "./recipient/recipients";
import { getValue, listMailProblems, type Values } from "./rules/mail-rules";

/** One line of the readiness checklist. */
export interface CheckLine {
  about: string;
  state: "ok" | "missing" | "info" | "warning" | "ruins" | "live";
  /** The form's field that it is about. */
  field?: string | null;
}

/** The form's own rules say these. */
const SAID_BY_RULES = ["no_value"];

/** The readiness checklist: size, content, recipient and mode, what else is wrong, and a summary. */
export function buildChecklist(
  kind: MailKind,
  values: Values,
  listed: readonly ListedRecipient[] = [],
  findings: readonly Finding[] = [],
): { lines: CheckLine[]; summary: string } {
  const problems = listMailProblems(kind, values, listed);
  const others = problems.filter(({ field }) => ["message", "content", "variables"].includes(field));
  const has = (...fields: string[]) => !problems.some(({ field }) => fields.includes(field));
  const line = (ok: boolean, done: string, open: string, field: string): CheckLine => ({
    about: ok ? done : open,
    state: ok ? "ok" : "missing",
    field: ok ? null : field,
  });
  const faults = findings.filter(({ tone, code }) => tone !== "info" && !SAID_BY_RULES.includes(code));
  const test = getValue(values, "test") === "true";
  const lines = [
    ...(kind === "postcard" ? [line(has("size"), `Size ${getValue(values, "size")}`, NO_SIZE, "size")] : []),
    line(has("template"), `Content: ${formatSource(kind, values)}`, NO_CONTENT[kind], "template"),
    line(
      !problems.some(({ field }) => field.startsWith("recipient")),
      `Recipient: ${formatChosenRecipient(values, listed)}`,
      findUnknownName(values, listed) ?? NO_RECIPIENT,
      problems.find(({ field }) => field.startsWith("recipient"))?.field ?? "recipient",
    ),
    ...others.map(({ message, field }) => ({ about: message, state: "missing" as const, field })),
    ...faults.map(({ text, field, tone }) => ({
      about: text,
      state: tone === "ruins" ? ("ruins" as const) : ("warning" as const),
      field,
    })),
    test ? { about: IN_TEST, state: "info" as const } : { about: IN_LIVE, state: "live" as const },
  ];
  return { lines, summary: formatReadiness(kind, problems.length + faults.length) };
}

function formatSource(kind: MailKind, values: Values): string {
  if (getValue(values, "template") !== "") return `template ${getValue(values, "template")}`;
  if (kind === "postcard") return "front image";
  return getValue(values, "file") !== "" ? "PDF file" : "text";
}

/** Says that a name fits no saved recipient; null while it may be the beginning of one. */
function findUnknownName(values: Values, listed: readonly ListedRecipient[]): string | null {
  const typed = getValue(values, "recipient");
  if (findRecipientChoice(values) === "new" || typed === "" || isRecipientId(typed)) return null;
  return listed.length > 0 && searchRecipients(typed, listed).length === 0
    ? formatRecipientUnknown(typed)
    : null;
}

function formatChosenRecipient(values: Values, listed: readonly ListedRecipient[]): string {
  if (findRecipientChoice(values) === "saved") {
    const id = getValue(values, "recipient");
    const known = listed.find((recipient) => recipient.id === id);
    return known ? formatRecipient(known) : id;
  }
  return [getValue(values, "recipient_firstname"), getValue(values, "recipient_lastname")]
    .filter(Boolean)
    .join(" ");
}
