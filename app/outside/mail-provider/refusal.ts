/** Statuses that mean that the provider did nothing. */
export const REFUSING_STATUSES: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 413, 415, 422]);
