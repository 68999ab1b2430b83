import { parseRecord } from "~/platform/json-value";
import type { CodeChoice, CodeParts } from "./code-choice";
import { buildCodeRequest, type CodeRequest } from "./code-request";
import { writeCurl } from "./curl-code";
import { writeJavaScript } from "./javascript-code";
import { writePhp } from "./php-code";
import { writePython } from "./python-code";

const WRITERS: Record<CodeChoice["language"], (request: CodeRequest) => string> = {
  curl: writeCurl,
  javascript: writeJavaScript,
  php: writePhp,
  python: writePython,
};

/** Writes a request as a program with a note on its requirements. @param origin URL of this console, for calls to it */
export function writeCode(
  parts: CodeParts,
  origin: string,
  { language, target }: CodeChoice,
): { text: string; note: string } {
  return {
    text: WRITERS[language](buildCodeRequest(parts, target, origin)),
    note: [
      CODE_SECRETS[target],
      target === "provider" && needsMailroom(parts) && NOT_BY_PROVIDER,
      CODE_NEEDS[language],
    ]
      .filter(Boolean)
      .join(" "),
  };
}

/** True for mail with a typed text, which only Mailroom prints and fills. */
function needsMailroom({ body }: CodeParts): boolean {
  return Boolean(parseRecord(body).content || parseRecord(body).message);
}

/** Instructions for the key, by the server that the program calls. */
const CODE_SECRETS = {
  provider: "Set STANNP_API_KEY in your program's environment.",
  mailroom:
    "Set MAILROOM_TOKEN to a personal token. Mailroom fills {placeholders}, makes the PDF, charges credits and stores the answer.",
};
const NOT_BY_PROVIDER = "The provider does not fill {placeholders} and prints no typed letter text.";
const CODE_NEEDS = {
  curl: "",
  javascript: "",
  php: "Needs PHP's curl extension.",
  python: "Needs the package requests.",
};
