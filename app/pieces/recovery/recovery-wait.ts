/**
 * When recovery looks again at a piece whose outcome is not known. The older the piece, the longer the wait, however
 * often it was tried: a piece that many killed processes worked on is not older for it. A young one is settled soon, and
 * one that stays open for a day costs some seventy calls.
 */

const SHARE_OF_AGE = 1 / 4;
const LONGEST_WAIT_SECONDS = 1_800;

/**
 * Seconds until the next look.
 * @param ageSeconds since it was first asked for
 * @param askedSeconds what the provider asked to wait for, at least so long
 */
export function chooseWait(ageSeconds: number, askedSeconds = 1): number {
  return Math.max(Math.min(ageSeconds * SHARE_OF_AGE, LONGEST_WAIT_SECONDS), askedSeconds);
}
