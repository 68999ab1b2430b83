/** Statuses with which the provider says that it did not do what it was asked for. */
export const REFUSING_STATUSES: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 413, 415, 422]);
