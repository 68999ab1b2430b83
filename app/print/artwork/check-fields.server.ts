import { countBase64Bytes, decodeBase64Strict } from "./base64";
import { checkFile } from "./check-file";
import { type FileRule, findFileRule, findSizeProblem, findTotalProblem } from "./file-rules";

/** A file field that must not go out, and why. */
export interface FieldProblem {
  field: string;
  /** The sentences of spec §5, one after the other. */
  message: string;
}

const ADDRESS_LIMIT_CHARS = 2_048;

/**
 * What is wrong with the files in the body of a letter or postcard (security.md row 18); empty for every other call.
 * An http(s) address passes and is never fetched: the provider loads it. All else must be strict base64 of a file
 * that passes its field's rule. Absent, null and empty fields pass.
 * @param path as classified, like `postcards/create`, with or without `.json`
 * @param fields the body's fields as they will go out
 */
export function checkFieldsOnServer(path: string, fields: Readonly<Record<string, unknown>>): FieldProblem[] {
  /** Sizes of the files so far. */
  const sizes: number[] = [];
  return Object.keys(fields).flatMap((name) => {
    const field = spellAsPhp(name);
    const rule = findFileRule(path, field);
    if (!rule) return [];
    const messages =
      name === field ? checkValue(fields[name], rule, sizes) : [`Write this field as ${field}`];
    return messages.length > 0 ? [{ field, message: `${messages.join(". ")}.` }] : [];
  });
}

function checkValue(value: unknown, rule: FileRule, sizes: number[]): string[] {
  if (value === undefined || value === null || value === "") return [];
  if (typeof value !== "string") return [NEITHER];
  if (isWebAddress(value)) return [];
  const tooLarge = findSizeProblem(countBase64Bytes(value.length) - 2);
  if (tooLarge !== null) return [tooLarge];
  const bytes = decodeBase64Strict(value);
  if (bytes === null) return [NEITHER];
  const verdict = checkFile(bytes, rule);
  if (!verdict.ok) return verdict.messages;
  const tooMuch = findTotalProblem(bytes.length, sizes);
  sizes.push(bytes.length);
  return tooMuch === null ? [] : [tooMuch];
}

const NEITHER =
  "This is neither an http(s) address nor a file as base64 (RFC 4648: no data: prefix, no line breaks, padded with =)";

function isWebAddress(value: string): boolean {
  return value.length <= ADDRESS_LIMIT_CHARS && /^https?:\/\/\S+$/i.test(value) && URL.canParse(value);
}

/** The provider's PHP would read `front[]` and ` front` as the field front too. */
function spellAsPhp(name: string): string {
  return name.trimStart().split("[")[0] ?? "";
}
