import type { TokenScope } from "~/platform/http/token-scopes";
import type { FormattedMoment } from "~/ui/moment";

/** A token in a list. */
export interface TokenRow {
  id: string;
  name: string;
  owner: string;
  ending: string;
  scopes: TokenScope[];
  dailyCredits: number | null;
  expires: FormattedMoment;
  /** Null: never. */
  lastUsed: FormattedMoment | null;
  /** Null: in use. */
  ended: "revoked" | "expired" | null;
  /** True when it is refused because its owner has not signed in for `TOKEN_OWNER_DAYS`. */
  isOwnerAway: boolean;
}

export interface TokensView {
  /** The viewer's. */
  own: TokenRow[];
  /** Other people's tokens in use; null: the viewer is no admin. */
  others: TokenRow[] | null;
  /** The token to confirm. */
  revoking: TokenRow | null;
}

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
