import type { TokenScope } from "~/platform/http/token-scopes";

/** What each scope allows, beside its box. */
export const SCOPES: Record<TokenScope, string> = {
  read: "Read pieces, stored responses, credits and what the provider has; check addresses",
  "send:test": "Send tests; save responses",
  "send:live":
    "Send and cancel real mail; change recipients and other provider data; delete stored responses",
  credits: "Adjust and buy credits",
};

export const ABOUT_TOKENS =
  "A program calls the API with a token, in your name. Everything it does is recorded as you via the token's name.";
export const NO_TOKENS =
  "You have no tokens yet. Each token appears here with its scopes and when it was last used.";
export const SHOWN_ONCE = "Copy it now: it is shown only once.";
export const NAME_HINT = "Up to 60 letters, digits, spaces and . _ -";
export const DAILY_HINT = "Live mail of this token per day (UTC). Leave empty for no limit.";
const NOT_CREATED = "No token was created.";
export const NO_SUCH_TOKEN = "This token does not exist or has ended already. Nothing was changed.";
export const TOKENS_NEED_DATABASE = "Tokens need a database.";

export const PROBLEMS = {
  name: "Give it a name of up to 60 letters, digits, spaces, dots, dashes or underscores.",
  nameWithVia: 'A name cannot contain the word "via".',
  scopes: "Choose at least one scope.",
  days: "Choose when it expires.",
  dailyCredits: "Must be a whole number from 1 to 1,000,000, or empty.",
} as const;

export function formatNameTaken(name: string): string {
  return `You have a token named ${name} already. ${NOT_CREATED} Choose another name.`;
}

export function formatTooMany(limit: number): string {
  return `You have ${limit} tokens in use. ${NOT_CREATED} Revoke one first.`;
}

export function formatRevoked(name: string): string {
  return `Token ${name} is revoked. Other instances of Mailroom refuse it within 5 seconds.`;
}

export function formatRevokeQuestion(name: string): string {
  return `Programs that use ${name} are refused from then on. This cannot be undone.`;
}

/** @param scope that the token does not have */
export function formatMissingScope(scope: string): string {
  return `This token does not have the scope ${scope}. Nothing was sent and nothing was changed. Create one that has it.`;
}
