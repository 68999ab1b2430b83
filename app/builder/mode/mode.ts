import { type CallTemplate, type Draft, dropFallbackUnlessTest } from "../draft";
import { findMailKind } from "../editor/mail-kind";

/** Live mode ends by itself after this time. */
export const LIVE_LIMIT_MS = 15 * 60_000;

/** The mode of a page that was posted without JavaScript. */
export interface PostedMode {
  /** When live ends, in ms of the server's clock; null in test mode. */
  until: number | null;
  /** Ms until then. */
  leftMs: number;
  /** Live has run out since the page was made. */
  ended: boolean;
}

/** True when live mode has ended. A clock that was set back ends it too, because the time passed is not known then. */
export function isLiveOver(until: number, now: number): boolean {
  return now >= until || until - now > LIVE_LIMIT_MS;
}

/** "14:32" */
export function formatTimeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The draft with the test box of a mail form set by the mode, wherever the draft comes from. */
export function applyMode(draft: Draft, template: CallTemplate, live: boolean): Draft {
  if (findMailKind(template) === null) return draft;
  const test = live ? "" : "true";
  return dropFallbackUnlessTest(
    draft.values.test === test ? draft : { ...draft, values: { ...draft.values, test } },
  );
}

/** What a posted form tells about its mode. */
interface PostedForm {
  /** The form's `live_until`: when live ends; null in test mode. */
  liveUntil: string | null;
  intent: string | null;
}

/**
 * The mode of a posted form at `now`, in ms. `shown` is whether the page already said LIVE: nothing live is sent before.
 */
export function parsePostedMode(
  { liveUntil, intent }: PostedForm,
  now: number,
): PostedMode & { shown: boolean } {
  const test = { until: null, leftMs: 0, ended: false, shown: false };
  const live = (until: number, shown: boolean) => ({ until, leftMs: until - now, ended: false, shown });
  const until = /^\d{1,15}$/.test(liveUntil ?? "") ? Number(liveUntil) : null;
  const running = until !== null && !isLiveOver(until, now);
  // Sending a tested piece is live for one send only: the page stays in test.
  if (intent === "test" || intent === "send_tested") return test;
  if (intent === "live") return running ? live(until, true) : live(now + LIVE_LIMIT_MS, false);
  if (running) return live(until, true);
  return liveUntil === null ? test : { ...test, ended: true };
}
