/** What came of asking the provider where pieces stand. */

/** What was found out about one item. */
export interface RefreshedItem {
  id: string;
  /** The provider's word now; the last known one where it could not be asked. */
  status: string;
  /** Whether it is further than before. */
  changed: boolean;
  /** Credits that came back, because the provider had cancelled it. */
  refunded: number;
  /** Why the provider could not be asked, or did not say; null when it did. */
  problem: string | null;
}

export interface RefreshResult {
  items: RefreshedItem[];
  /** Ids that were not asked for, to be asked later. */
  left: string[];
  /** When: the provider's rate limit is nearly used up; null when nothing is left, or when they may be asked at once. */
  retryAfterSeconds: number | null;
  /** All of it in words. */
  message: string;
}

/** What `POST /api/mail/refresh` answers when it could ask. */
export interface WireRefresh {
  items: RefreshedItem[];
  left: string[];
  retry_after_seconds: number | null;
}
