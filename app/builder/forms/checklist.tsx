import type { MailType } from "~/pieces/mail-type";
import type { Finding } from "~/print/layout/finding";
import { getValue, listMailProblems } from "../draft/mail-rules";
import {
  findRecipientChoice,
  formatRecipient,
  isRecipientId,
  type ListedRecipient,
  searchRecipients,
  type Values,
} from "../draft/recipients";

/** A postcard with a message alone is not complete. */
export const NO_CONTENT: Record<MailType, string> = {
  postcard: "No front image or template yet",
  letter: "No content yet",
};

export function formatRecipientUnknown(name: string): string {
  return `Recipient "${name}" not found`;
}

export const IN_TEST = "Test mode: a test makes a free PDF";
export const IN_LIVE = "Live: real mail will be sent";

export function formatReadiness(kind: MailType, problems: number): string {
  return problems > 0 ? `${problems} issue(s) need attention` : `Ready to create ${kind}!`;
}

const SIGNS = {
  ok: { sign: "✓", word: "Done", tone: "text-ok" },
  missing: { sign: "✗", word: "Missing", tone: "text-warn" },
  info: { sign: "i", word: "Note", tone: "text-accent" },
  warning: { sign: "!", word: "Warning", tone: "text-warn" },
  live: { sign: "!", word: "Warning", tone: "text-live" },
  ruins: { sign: "!", word: "Fault", tone: "text-live" },
};

interface ChecklistProps {
  kind: MailType;
  values: Record<string, string>;
  listed: readonly ListedRecipient[];
  findings: readonly Finding[];
  /** True when these values are sent. The summary is shown only then. */
  used: boolean;
}

/** Lists what is missing or wrong before a piece is created. Each line leads to its field. */
export function Checklist({ kind, values, listed, findings, used }: ChecklistProps) {
  const { lines, summary } = buildChecklist(kind, values, listed, findings);
  return (
    <section aria-label="Readiness" className="min-w-0 flex-1 basis-80 max-sm:contents">
      {used ? (
        <p className="font-semibold max-sm:order-3 max-sm:min-w-32 max-sm:flex-1" aria-live="polite">
          {summary}
        </p>
      ) : null}
      <ul className="flex min-w-0 flex-wrap gap-x-4 gap-y-0.5 text-[12px] max-sm:flex-1 max-sm:basis-48 max-sm:in-[.send-bar:has(.button-live)]:basis-full">
        {lines.map(({ text, state, field }) => {
          const { sign, word, tone } = SIGNS[state];
          return (
            <li
              key={text}
              className={`flex gap-1.5 [overflow-wrap:anywhere] ${["ok", "info", "live"].includes(state) ? "max-sm:sr-only" : ""}`}
            >
              <span aria-hidden className={`shrink-0 font-semibold ${tone}`}>
                {sign}
              </span>
              <span>
                <span className="sr-only">{word}: </span>
                {field ? (
                  <a
                    href={`#field-${field}`}
                    className="underline decoration-dotted max-lg:inline-block max-lg:min-h-[24px]"
                  >
                    {text}
                  </a>
                ) : (
                  text
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface CheckLine {
  text: string;
  state: keyof typeof SIGNS;
  field?: string | null;
}

/** Findings that the form's rules already report. */
const SAID_BY_RULES = ["no_value"];

/** Builds the readiness checklist: size, content, recipient and mode, what else is wrong, and a summary. */
export function buildChecklist(
  kind: MailType,
  values: Values,
  listed: readonly ListedRecipient[] = [],
  findings: readonly Finding[] = [],
): { lines: CheckLine[]; summary: string } {
  const problems = listMailProblems(kind, values, listed);
  const others = problems.filter(({ field }) => ["message", "content", "variables"].includes(field));
  const has = (...fields: string[]) => !problems.some(({ field }) => fields.includes(field));
  const line = (ok: boolean, done: string, open: string, field: string): CheckLine => ({
    text: ok ? done : open,
    state: ok ? "ok" : "missing",
    field: ok ? null : field,
  });
  const faults = findings.filter(({ tone, code }) => tone !== "info" && !SAID_BY_RULES.includes(code));
  const test = getValue(values, "test") === "true";
  const unaddressed = problems.find(({ field }) => field.startsWith("recipient"));
  const size = getValue(values, "size");
  const lines: CheckLine[] = [
    ...(kind === "postcard" ? [line(has("size"), `Size ${size}`, "No size selected", "size")] : []),
    line(has("template"), `Content: ${formatSource(kind, values)}`, NO_CONTENT[kind], "template"),
    line(
      unaddressed === undefined,
      `Recipient: ${formatChosenRecipient(values, listed)}`,
      findUnknownName(values, listed) ?? unaddressed?.message ?? "",
      unaddressed?.field ?? "recipient",
    ),
    ...others.map(({ message, field }): CheckLine => ({ text: message, state: "missing", field })),
    ...faults.map(
      ({ text, field, tone }): CheckLine => ({ text, state: tone === "ruins" ? tone : "warning", field }),
    ),
    test ? { text: IN_TEST, state: "info" } : { text: IN_LIVE, state: "live" },
  ];
  return { lines, summary: formatReadiness(kind, problems.length + faults.length) };
}

function formatSource(kind: MailType, values: Values): string {
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
  return `${getValue(values, "recipient_firstname")} ${getValue(values, "recipient_lastname")}`.trim();
}
