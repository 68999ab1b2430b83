import type { CodeTarget } from "./code-request";

export const LANGUAGES = { curl: "curl", javascript: "JavaScript", php: "PHP", python: "Python" } as const;
export const TARGETS = { provider: "to the provider", mailroom: "through Mailroom" } as const;

/** What the Code tab shows. */
export interface CodeChoice {
  language: keyof typeof LANGUAGES;
  target: CodeTarget;
}

/** A choice as it was posted or stored; what is unknown is the first of its list. */
export function parseCodeChoice(language: unknown, target: unknown): CodeChoice {
  return {
    language:
      typeof language === "string" && language in LANGUAGES ? (language as CodeChoice["language"]) : "curl",
    target: target === "mailroom" ? "mailroom" : "provider",
  };
}
