import type { CallTemplate, Draft } from "../draft";
import type { CodeChoice } from "./code-choice";
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

/** The present request as a program in the chosen language. */
export function writeCode(
  draft: Draft,
  template: CallTemplate,
  base: { url: string; appendJson: boolean },
  origin: string,
  { language, target }: CodeChoice,
): string {
  return WRITERS[language](buildCodeRequest(draft, template, base, target, origin));
}
