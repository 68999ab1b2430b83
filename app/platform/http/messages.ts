import { NOTHING_DONE } from "../outcome";

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

/** The next step after a refusal that passes: reloading posts the same form again. */
const RELOAD = "Then reload this page: what you typed is sent again.";

/** A caller has used up a limit. @param isPage whether a person in front of a browser reads it */
export function formatTooManyRequests(seconds: number, isPage: boolean): string {
  const wait = `${NOTHING_DONE} Wait ${seconds} ${seconds === 1 ? "second" : "seconds"}`;
  return `Too many requests. ${wait}${isPage ? `. ${RELOAD}` : " and try again."}`;
}

/** Why a large job was ended. The job's own sentence of what was not done comes before. */
export const HEAVY_WORK = {
  tooLong: "It took too long to work through.",
  tooMuchMemory: "It needed too much memory to work through.",
  busy: "The server is busy with other large work.",
  nextStep: "Make it smaller or simpler, then try again.",
} as const;
