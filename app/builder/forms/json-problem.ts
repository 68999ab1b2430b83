import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";

const REASONS: Record<string, string> = {
  InvalidSymbol: "this is no JSON value: texts need double quotes",
  InvalidNumberFormat: "this is no number",
  PropertyNameExpected: "a name in double quotes is missing, or the comma before is too many",
  ValueExpected: "a value is missing, or the comma before is too many",
  ColonExpected: "a colon is missing after the name",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a closing } is missing",
  CloseBracketExpected: "a closing ] is missing",
  EndOfFileExpected: "there is more after the end of the JSON",
  InvalidCommentToken: "JSON has no comments",
  UnexpectedEndOfComment: "JSON has no comments",
  UnexpectedEndOfString: "the closing quote of a text is missing",
  UnexpectedEndOfNumber: "the number is not finished",
  InvalidUnicode: "\\u needs four hexadecimal digits",
  InvalidEscapeCharacter: "this escape does not exist: write \\\\ for a backslash",
  InvalidCharacter: "this character must be escaped in a text, a line break as \\n",
};

/** Finds the first JSON syntax error: "Line 3, column 5: a comma is missing."; null for valid JSON. */
export function findJsonProblem(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch {
    const errors: ParseError[] = [];
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
    const [first] = errors.sort((a, b) => a.offset - b.offset);
    const before = text.slice(0, first?.offset ?? text.length).split("\n");
    const place = `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    return `${place}: ${(first && REASONS[printParseErrorCode(first.error)]) ?? "this is no JSON"}.`;
  }
}
