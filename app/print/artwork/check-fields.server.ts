import { doHeavyWork, type HeavyJob } from "~/platform/heavy-work.server";
import type { Outcome } from "~/platform/outcome";
import { countBase64Bytes, decodeBase64Strict } from "./base64";
import { checkFile } from "./check-file";
import { LARGE_FILE_BYTES } from "./check-file.server";
import { type FileRule, findFileRule, findSizeProblem, findTotalProblem } from "./file-rules";
import { FILES_NOT_CHECKED, formatFieldSpelling, NOT_A_FILE } from "./messages";

/** A file field that must not be sent, and why. */
export interface FieldProblem {
  field: string;
  /** Sentences from messages.ts, one after the other. */
  message: string;
}

const ADDRESS_LIMIT_CHARS = 2_048;

/** The body's fields and the classified path, such as `postcards/create`, with or without `.json`. */
interface FieldsToCheck {
  path: string;
  fields: Readonly<Record<string, unknown>>;
}

/** {@link checkFields}, in a thread of its own when the files are large. */
export async function checkFieldsOnServer(
  path: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Outcome<FieldProblem[]>> {
  const files = Object.fromEntries(
    Object.entries(fields).filter(([name]) => findFileRule(path, spellAsPhp(name))),
  );
  return doHeavyWork(CHECK_FIELDS, { path, fields: files });
}

export const CHECK_FIELDS: HeavyJob<FieldsToCheck, FieldProblem[]> = {
  name: "artwork.fields",
  run: checkFields,
  isLarge: ({ fields }) =>
    Object.values(fields).some((value) => typeof value === "string" && value.length > LARGE_FILE_BYTES),
  notDone: FILES_NOT_CHECKED,
};

/**
 * Checks the files in the body of a letter or postcard; every other call has no problems. An http(s) URL passes and is
 * never fetched here, so no one can make this server call an address: the provider downloads it. Anything else must be
 * strict base64 of a file that passes its field's rule. Absent, null and empty fields pass.
 */
function checkFields({ path, fields }: FieldsToCheck): FieldProblem[] {
  /** Sizes of the files so far. */
  const sizes: number[] = [];
  return Object.keys(fields).flatMap((name) => {
    const field = spellAsPhp(name);
    const rule = findFileRule(path, field);
    if (!rule) return [];
    const messages = name === field ? checkValue(fields[name], rule, sizes) : [formatFieldSpelling(field)];
    return messages.length > 0 ? [{ field, message: `${messages.join(". ")}.` }] : [];
  });
}

function checkValue(value: unknown, rule: FileRule, sizes: number[]): string[] {
  if (value === undefined || value === null || value === "") return [];
  if (typeof value !== "string") return [NOT_A_FILE];
  if (isWebAddress(value)) return [];
  const tooLarge = findSizeProblem(countBase64Bytes(value.length) - 2);
  if (tooLarge !== null) return [tooLarge];
  const bytes = decodeBase64Strict(value);
  if (bytes === null) return [NOT_A_FILE];
  const check = checkFile(bytes, rule);
  if (!check.ok) return check.messages;
  const tooMuch = findTotalProblem(bytes.length, sizes);
  sizes.push(bytes.length);
  return tooMuch === null ? [] : [tooMuch];
}

function isWebAddress(value: string): boolean {
  return value.length <= ADDRESS_LIMIT_CHARS && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);
}

/** Normalises a field name: the provider's PHP reads `front[]` and ` front` as the field `front` too. */
function spellAsPhp(name: string): string {
  return name.trimStart().split("[")[0] ?? "";
}
