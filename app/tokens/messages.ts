import type { TokenScope } from "~/platform/http/token-scopes";

/** Rights of each scope, beside its checkbox. */
export const SCOPES: Record<TokenScope, string> = {
  read: "Read pieces, stored responses, credits and what the provider has; check addresses",
  "send:test": "Send tests; save responses",
  "send:live":
    "Send and cancel real mail; change recipients and other provider data; delete stored responses; send webhook events again",
  credits: "Adjust and buy credits",
};

const NOT_CREATED = "No token was created.";
export const NO_SUCH_TOKEN = "This token does not exist or has ended already. Nothing was changed.";

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

/** @param byToken true when a token or its owner lacks the scope, false when a person does */
export function formatMissingScope(scope: string, byToken: boolean): string {
  return byToken
    ? `This token, or its owner, does not have the scope ${scope}. Nothing was sent and nothing was changed. Create one that has it.`
    : `You do not have the scope ${scope}. Nothing was sent and nothing was changed. Ask an admin for it.`;
}
