import type { TokenScope } from "~/platform/http/token-scopes";

/** The values of the form for a new token. */
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
