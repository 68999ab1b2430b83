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
  created: FormattedMoment;
  expires: FormattedMoment;
  /** Null: never. */
  lastUsed: FormattedMoment | null;
  /** Why it is worth nothing any more; null while it is in use. */
  ended: "revoked" | "expired" | null;
  /** True while it is refused because its owner has not signed in for long. */
  isOwnerAway: boolean;
}

export interface TokensView {
  /** The viewer's own: those in use first. */
  own: TokenRow[];
  /** Of other people, in use; null: the viewer is no admin. */
  others: TokenRow[] | null;
  /** The one that is asked about. */
  revoking: TokenRow | null;
}

/** The form of a new token as it was filled in. */
export interface TokenDraft {
  name: string;
  scopes: TokenScope[];
  days: number;
  dailyCredits: string;
  /** By field. */
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
