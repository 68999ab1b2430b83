import { parseJson, parseRecord } from "~/platform/json-value";
import { findPostcodeExample, formatBadPostcode } from "~/print/layout/address-rules";
import { fillVariables } from "~/print/merge/merge";
import { type Mapping, parsePlaceholder, parseUse, RECIPIENT_FIELDS, type RecipientField } from "../columns";
import { formatCountry, parseCountry } from "../countries";

export interface RowRules {
  mapping: Mapping;
  /** Columns of the header. */
  columns: number;
  /** The text to fill, with its defaults; "" when the provider fills its template. */
  text: string;
  /** The design's own variables, as JSON text or an object. */
  variables: unknown;
  /** ISO codes of countries that mail can be sent to. */
  countries: readonly string[];
  /** The country of rows without one; "" when each row must name it. */
  country: string;
}

export interface RowContent {
  recipient: Partial<Record<RecipientField, string>>;
  variables: Record<string, string>;
}

const CANNOT_BE_PRINTED =
  "has a character that cannot be printed. Correct it here, or save the file as UTF-8 and import it again.";

const MAX_DETAIL_CHARS = 100;
/** Characters that the file lost. A cell may have line breaks and tabs. */
const UNREADABLE = /[^\P{Cc}\t\n\r]|\uFFFD/u;
const EXCEL_ERRORS = /^#(?:REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!)$/i;

/** Maps a row's cells to recipient and variables. A known country becomes its code. */
export function parseRow(
  cells: readonly string[],
  rules: Pick<RowRules, "mapping" | "countries" | "country">,
): RowContent {
  const recipient: Partial<Record<RecipientField, string>> = {};
  const variables: Record<string, string> = {};
  for (const [at, entry] of rules.mapping.entries()) {
    const { use } = parseUse(entry);
    const cell = (cells[at] ?? "").trim();
    if (use === "" || cell === "") continue;
    const placeholder = parsePlaceholder(use);
    if (placeholder === null) recipient[use as RecipientField] = cell;
    else variables[placeholder] = cell;
  }
  const country = recipient.country ?? rules.country;
  if (country !== "") recipient.country = parseCountry(country, rules.countries) ?? country;
  return { recipient, variables };
}

/** Lists the problems of a row, one sentence each. */
export function checkRow(cells: readonly string[], rules: RowRules): string[] {
  const { recipient, variables } = parseRow(cells, rules);
  const problems: string[] = [];
  if (cells.length > rules.columns) {
    problems.push(
      `It has ${cells.length} cells, the header has ${rules.columns}. A cell that has the separator in it must be in quotation marks.`,
    );
  }
  const missing: string[] = [];
  const named = recipient.company !== undefined;
  for (const field of ["firstname", "lastname"] as const) {
    if (!named && recipient[field] === undefined) missing.push(RECIPIENT_FIELDS[field]);
  }
  for (const field of ["address1", "city", "postcode", "country"] as const) {
    if (recipient[field] === undefined) missing.push(RECIPIENT_FIELDS[field]);
  }
  if (missing.length > 0) problems.push(`Missing: ${missing.join(", ")}.`);
  const values: [label: string, value: string, maxChars: number][] = [
    ...(Object.entries(recipient) as [RecipientField, string][]).map(
      ([field, value]): [string, string, number] => [RECIPIENT_FIELDS[field], value, MAX_DETAIL_CHARS],
    ),
    ...Object.entries(variables).map(([name, value]): [string, string, number] => [
      `{${name}}`,
      value,
      Infinity,
    ]),
  ];
  for (const [label, value, maxChars] of values) {
    if (value.startsWith("=")) problems.push(`${label} is a formula. Export values, not formulas.`);
    else if (EXCEL_ERRORS.test(value)) problems.push(`${label} is Excel's error ${value}.`);
    else if (UNREADABLE.test(value)) problems.push(`${label} ${CANNOT_BE_PRINTED}`);
    else if (value.length > maxChars) problems.push(`${label} has more than ${maxChars} characters.`);
  }
  const { country, postcode } = recipient;
  if (country !== undefined && !rules.countries.includes(country)) {
    problems.push(`Mailroom cannot send to ${formatCountry(country).slice(0, 40)} yet.`);
  } else if (country !== undefined && postcode !== undefined) {
    const example = findPostcodeExample(country, postcode);
    if (example !== null) problems.push(formatPostcode(postcode, country, example));
  }
  const { unknown } = fillVariables(rules.text, recipient, mergeVariables(rules.variables, variables));
  if (unknown.length > 0) {
    const names = unknown.map((name) => `{${name}}`).join(", ");
    problems.push(`No value for ${names}. Fill it in, or set a default under Columns.`);
  }
  return problems;
}

/** Merges the design's variables with those of a row, which win. */
export function mergeVariables(design: unknown, row: Record<string, string>): Record<string, unknown> {
  return { ...parseRecord(typeof design === "string" ? parseJson(design) : design), ...row };
}

function formatPostcode(postcode: string, country: string, example: string): string {
  const hint = /^\d+$/.test(postcode) && /^\d+$/.test(example) && postcode.length < example.length;
  const lost = hint ? " Excel may have dropped a leading 0." : "";
  return `${formatBadPostcode(postcode, country, example)}${lost}`;
}
