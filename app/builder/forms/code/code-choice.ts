import type { JsonValue } from "~/catalogue/types";
import { type CallTemplate, carriesBody, type Draft, type Pair } from "../../draft/draft";
import { buildBody, buildQuery, fillPath } from "../../draft/request";

export const LANGUAGES = { curl: "curl", javascript: "JavaScript", php: "PHP", python: "Python" } as const;
export const TARGETS = { provider: "to the provider", mailroom: "through Mailroom" } as const;

/** Language and target of the Code tab. */
export interface CodeChoice {
  language: keyof typeof LANGUAGES;
  target: keyof typeof TARGETS;
}

export const FIRST_CODE: CodeChoice = { language: "curl", target: "provider" };

/** The current request, for the code writers. */
export interface CodeParts {
  base: { url: string; appendJson: boolean };
  method: string;
  path: string;
  query: Record<string, string>;
  headers: readonly Pair[];
  /** Undefined when there is no body or it is not JSON. */
  body: JsonValue | undefined;
  /** The names of chosen files by field. */
  files: Record<string, string>;
}

/** Parses a posted or stored choice. Unknown values become the first of their list. */
export function parseCodeChoice(language: unknown, target: unknown): CodeChoice {
  return {
    language:
      typeof language === "string" && language in LANGUAGES ? (language as CodeChoice["language"]) : "curl",
    target: target === "mailroom" ? "mailroom" : "provider",
  };
}

/** Lists the parts of the current request for the code writers. */
export function listCodeParts(draft: Draft, template: CallTemplate, base: CodeParts["base"]): CodeParts {
  return {
    base,
    method: draft.method,
    path: fillPath(draft),
    query: buildQuery(draft, template),
    headers: draft.headers,
    body: buildWrittenBody(draft, template),
    files: Object.fromEntries(Object.entries(draft.files).map(([field, { name }]) => [field, name])),
  };
}

function buildWrittenBody(draft: Draft, template: CallTemplate): CodeParts["body"] {
  if (!carriesBody(draft.method)) return undefined;
  try {
    return buildBody(draft, template, true);
  } catch {
    return undefined;
  }
}

/** The request as a program. */
export interface ShownCode {
  choice: CodeChoice;
  text: string;
  note: string;
}
