import type { Link } from "~/recipients/match-person.server";
import type { FormattedMoment } from "~/ui/moment";

/** A recipient and what is stored about the person. */
export interface PersonView {
  id: string;
  name: string;
  email: string | null;
  /** The provider's. */
  recipientId: string | null;
  addresses: string[];
  /** How many of each kind are linked. */
  counts: Record<string, number>;
  linked: ShownMatch[];
  proposed: ShownMatch[];
  /** Proposed matches that are too many to list. */
  unlisted: number;
}

/** A match as the page lists it. */
export interface ShownMatch {
  /** Posted when it is ticked. */
  id: string;
  kind: string;
  link: Link;
  name: string | null;
  address: string | null;
  at: FormattedMoment;
  /** Name of the user it belongs to. */
  owner: string;
  page: string | null;
}

/** The result of an erasure, after the recipient is gone. */
export interface ErasedView {
  at: FormattedMoment;
  by: string;
  erased: Record<string, number>;
  unconfirmed: Record<string, number>;
  /** The provider has a copy. */
  atProvider: boolean;
}
