/** Ends every error about a request that was refused before anything happened. */
export const NOTHING_DONE = "Nothing was sent and nothing was charged.";

export function formatFormTooLarge(limitBytes: number, moreSignedIn: boolean): string {
  const signIn = moreSignedIn ? " while you are signed out. Sign in and send it again." : ".";
  return `The form with its files is larger than ${formatByteLimit(limitBytes)}${signIn} ${NOTHING_DONE}`;
}

export function formatTooManyFields(limit: number): string {
  return `The form has more than ${limit} fields. ${NOTHING_DONE}`;
}

export function formatTooManyValues(limit: number): string {
  return `The JSON has more than ${limit} values. ${NOTHING_DONE}`;
}

/** "20 MB" or "16 KB". */
export function formatByteLimit(bytes: number): string {
  if (bytes >= 1024 * 1024) return `${Math.round(bytes / 1024 / 1024)} MB`;
  return bytes >= 1024 ? `${Math.round(bytes / 1024)} KB` : `${bytes} bytes`;
}

/** Under an address that no page can have. */
export const NOTHING_HERE = "There is nothing here.";
