/** Ends every error about a request that was refused before anything happened. */
export const NOTHING_DONE = "Nothing was sent and nothing was charged.";
