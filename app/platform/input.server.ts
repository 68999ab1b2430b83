import { z } from "zod";
import { fail, type Outcome, succeed } from "./outcome";
import { NOT_A_CURSOR, parseCursor } from "./page-cursor";

const MOST = 5;
const MOST_NAME_CHARS = 60;

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
const UNKNOWN = "is not known";

// Default messages for schemas without their own. The field's name comes before them.
z.config({ customError: describe });

function describe(issue: z.core.$ZodRawIssue): string | undefined {
  const isMissing = issue.input === undefined;
  const choose = (values: readonly unknown[], missing = isMissing) =>
    `${missing ? "is required:" : "must be"} ${values.map(String).join(" or ")}`;
  switch (issue.code) {
    case "invalid_type":
      return isMissing ? "is required" : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return choose(issue.values);
    case "invalid_union":
      return Array.isArray(issue.options)
        ? choose(issue.options, Object(issue.input)[String(issue.discriminator)] === undefined)
        : undefined;
    case "invalid_format":
      return "has a form that is not allowed";
    case "too_small":
      return formatBound(issue.origin, `at least ${issue.minimum}`);
    case "too_big":
      return formatBound(issue.origin, `at most ${issue.maximum}`);
    case "unrecognized_keys":
      return UNKNOWN;
  }
}

function formatBound(origin: string, bound: string): string {
  if (bound === "at least 1" && origin !== "number") return "must not be empty";
  if (origin === "string") return `must have ${bound} characters`;
  return origin === "array" ? `must have ${bound} entries` : `must be ${bound}`;
}

/** Parses an input. Fails with `bad_input`. @param describe formats the message from the problems by field */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  describe: (problems: string) => string,
  format = formatProblems,
): Outcome<z.output<Schema>> {
  const parsed = schema.safeParse(input);
  return parsed.success ? succeed(parsed.data) : fail("bad_input", describe(format(parsed.error)));
}

/** Selects the parameters of an address that are not empty, each by its last value. */
export function selectFilled(parameters: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...parameters].filter(([, value]) => value.trim() !== ""));
}

export function formatBadRequest(problems: string): string {
  return `The request is not valid: ${problems}.`;
}

/** Lists up to five problems by field: "amount is required; user_id is required". */
export function formatProblems({ issues }: z.ZodError): string {
  return issues
    .slice(0, MOST)
    .map(({ path, message }) => `${String(path[0] ?? "the body")} ${message}`)
    .join("; ");
}

/** {@link formatProblems} with full paths, for programs: "`recipient.city` must be text; `colour` is not known". */
export function formatFieldProblems({ issues }: z.ZodError): string {
  return issues
    .flatMap((issue) => listProblems(issue, []))
    .slice(0, MOST)
    .join("; ");
}

function listProblems(issue: z.core.$ZodIssue, outer: PropertyKey[]): string[] {
  const path = [...outer, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `${formatName([...path, key])} ${issue.message}`);
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0 && issue.message === "Invalid input") {
    const { errors } = issue;
    if (errors.every(([first]) => first?.path.length === 0 && first.code === "invalid_type")) {
      const kinds = new Set(errors.map(([first]) => first?.message.replace("must be ", "")));
      return [`${formatName(path)} must be ${[...kinds].join(" or ")}`];
    }
    // Reports the alternative that has all given fields.
    const meant = errors.find((one) => !one.some(({ code }) => code === "unrecognized_keys")) ?? errors[0];
    return (meant ?? []).flatMap((inner) => listProblems(inner, path));
  }
  return [`${formatName(path)} ${issue.message}`];
}

function formatName(path: PropertyKey[]): string {
  return path.length === 0 ? "the request" : `\`${path.map(String).join(".").slice(0, MOST_NAME_CHARS)}\``;
}

/** Schema of one line of text: trimmed, not empty, without control characters and lone surrogates. */
export function shortText(maxChars: number) {
  return z
    .string({ error: "is required" })
    .trim()
    .min(1, "is required")
    .max(maxChars, `has ${maxChars} characters at most`)
    .refine((text) => !/[\p{Cc}\p{Surrogate}]/u.test(text), "holds a character that cannot be kept");
}

export const idempotencyKey = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{10,200}$/, "has 10 to 200 letters, digits, dots, dashes, colons or underscores");

/** Schema of the row after which a page of a list begins. */
export const pageCursor = z
  .string()
  .transform(parseCursor)
  .refine((cursor) => cursor !== null, NOT_A_CURSOR);

/** Schema of the number of rows of a page. */
export function pageRows(most: number, preset: number) {
  return z.coerce.number().int("must be a whole number").min(1).max(most).default(preset);
}

export const NOT_A_DATE = "must be a date (YYYY-MM-DD)";
export const DATE_OUT_OF_RANGE = "must be between 1970 and 9998";

/** True when the database can store an ISO 8601 date with any offset. */
export function isDateInRange(text: string): boolean {
  return text >= "1970" && text < "9999";
}
