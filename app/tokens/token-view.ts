import type { TokenScope } from "~/platform/http/token-scopes";

export interface TokenDraft {
  name: string;
  scopes: TokenScope[];
  days: number;
  dailyCredits: string;
  problems: Partial<Record<"name" | "scopes" | "days" | "dailyCredits" | "form", string>>;
}

/** In days. */
export const LIFETIMES = [7, 30, 90, 365] as const;

export const EMPTY_DRAFT: TokenDraft = {
  name: "",
  scopes: ["read", "send:test"],
  days: 90,
  dailyCredits: "",
  problems: {},
};

/** Rights of each scope, beside its checkbox. */
export const SCOPES: Record<TokenScope, string> = {
  read: "Read pieces, stored responses, credits and what the provider has; check addresses",
  "send:test": "Send tests; save responses",
  "send:live":
    "Send and cancel real mail; change recipients and other provider data; delete stored responses; send webhook events again",
  credits: "Adjust and buy credits",
};

export const PROBLEMS = {
  name: "Give it a name of up to 60 letters, digits, spaces, dots, dashes or underscores.",
  nameWithVia: 'A name cannot contain the word "via".',
  scopes: "Choose at least one scope.",
  days: "Choose when it expires.",
  dailyCredits: "Must be a whole number from 1 to 1,000,000, or empty.",
} as const;

export function formatRevoked(name: string): string {
  return `Token ${name} is revoked. Other instances of Mailroom refuse it within 5 seconds.`;
}
