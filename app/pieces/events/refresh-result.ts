/** Results of refreshing the status of pieces from the provider. */

/** The result for one item. */
export interface RefreshedItem {
  id: string;
  /** The provider's word now; the last known one where it could not be asked. */
  status: string;
  /** True when its status has advanced. */
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

/** The answer of `POST /api/mail/refresh` when the provider was reached. */
export interface WireRefresh {
  items: RefreshedItem[];
  left: string[];
  retry_after_seconds: number | null;
}
