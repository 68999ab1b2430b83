import { findPostcodeExample, formatBadPostcode } from "~/print/layout/address";
import { listFindings } from "~/print/layout/findings";
import { RECIPIENT_FIELDS, type RecipientField } from "~/print/layout/preview-content";
import { fillVariables } from "~/print/merge/merge";
import { parseAddressee } from "~/recipients/addressee.server";
import type { ListTemplate, ProblemCode } from "../bulk-list";
import { formatCountry, parseRow } from "../columns";
import { buildBody, buildPreview, mergeVariables, type RowRules } from "../list-template.server";

export interface CheckedRow {
  number: number;
  cells: string[];
  state: "ready" | "problem" | "left_out";
  problem: string | null;
  problemCode: ProblemCode | null;
  /** Findings of this row that do not stop it. */
  warning: string | null;
  /** Equal for equal addresses; null for a row without a name. */
  addressKey: string | null;
}

interface RowToCheck {
  number: number;
  cells: string[];
  leftOut?: string | null;
  /** Problems that a person allowed; null for all. */
  allowed?: readonly ProblemCode[] | null;
}

/** Checks one row with the findings of its piece. `markDuplicates` then compares all rows. */
export function checkCells(row: RowToCheck, rules: RowRules, template: ListTemplate): CheckedRow {
  const { number, cells, leftOut = null, allowed = [] } = row;
  const body = buildBody(template, cells, rules);
  const addressKey = parseAddressee({ recipient: body.recipient }).key;
  const checked = { number, cells, problemCode: null, warning: null, addressKey };
  if (leftOut !== null) return { ...checked, state: "left_out", problem: leftOut };
  const problems = checkRow(cells, rules);
  if (problems.length > 0) return { ...checked, state: "problem", problem: problems.join(" ") };
  // Laying out the text of each letter would take minutes; the preview of a row does it.
  const findings = listFindings(buildPreview(template, body), null, template.pdf).filter(
    ({ tone, text }) => tone === "ruins" || !template.warnings?.includes(text),
  );
  const join = (...tones: string[]) =>
    findings.flatMap(({ tone, text }) => (tones.includes(tone) ? [text] : [])).join(" ") || null;
  const ruins = join("ruins");
  if (ruins === null || allowed === null || allowed.includes("finding")) {
    return { ...checked, state: "ready", problem: null, warning: join("ruins", "warn") };
  }
  return { ...checked, state: "problem", problem: ruins, problemCode: "finding", warning: join("warn") };
}

const CANNOT_BE_PRINTED =
  "has a character that cannot be printed. Correct it here, or save the file as UTF-8 and import it again.";

const MAX_DETAIL_CHARS = 100;
/** Characters that the file lost. A cell may have line breaks and tabs. */
const UNREADABLE = /[^\P{Cc}\t\n\r]|\uFFFD/u;
const EXCEL_ERRORS = /^#(?:REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!)$/i;

/** Lists the problems of a row, in sentences. */
export function checkRow(cells: readonly string[], rules: RowRules): string[] {
  const { recipient, variables } = parseRow(cells, rules);
  const problems: string[] = [];
  if (cells.length > rules.columns) {
    problems.push(
      `It has ${cells.length} cells, the header has ${rules.columns}. A cell that has the separator in it must be in quotation marks.`,
    );
  }
  const names = recipient.company === undefined ? (["firstname", "lastname"] as const) : [];
  const missing = [...names, ...(["address1", "city", "postcode", "country"] as const)]
    .filter((field) => recipient[field] === undefined)
    .map((field) => RECIPIENT_FIELDS[field]);
  if (missing.length > 0) problems.push(`Missing: ${missing.join(", ")}.`);
  const checkText = (label: string, value: string, maxChars: number) => {
    if (value.startsWith("=")) problems.push(`${label} is a formula. Export values, not formulas.`);
    else if (EXCEL_ERRORS.test(value)) problems.push(`${label} is Excel's error ${value}.`);
    else if (UNREADABLE.test(value)) problems.push(`${label} ${CANNOT_BE_PRINTED}`);
    else if (value.length > maxChars) problems.push(`${label} has more than ${maxChars} characters.`);
  };
  for (const [field, value] of Object.entries(recipient) as [RecipientField, string][]) {
    checkText(RECIPIENT_FIELDS[field], value, MAX_DETAIL_CHARS);
  }
  for (const [name, value] of Object.entries(variables)) checkText(`{${name}}`, value, Infinity);
  const { country, postcode } = recipient;
  if (country !== undefined && !rules.countries.includes(country)) {
    problems.push(`Mailroom cannot send to ${formatCountry(country).slice(0, 40)} yet.`);
  } else if (country !== undefined && postcode !== undefined) {
    const example = findPostcodeExample(country, postcode);
    if (example !== null) {
      const isShort = /^\d+$/.test(postcode) && /^\d+$/.test(example) && postcode.length < example.length;
      const lost = isShort ? " Excel may have dropped a leading 0." : "";
      problems.push(formatBadPostcode(postcode, country, example) + lost);
    }
  }
  const { unknown } = fillVariables(rules.text, recipient, mergeVariables(rules.variables, variables));
  if (unknown.length > 0) {
    const unfilled = unknown.map((name) => `{${name}}`).join(", ");
    problems.push(`No value for ${unfilled}. Fill it in, or set a default under Columns.`);
  }
  return problems;
}
