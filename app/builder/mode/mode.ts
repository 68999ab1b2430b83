import { type CallTemplate, type Draft, dropFallbackUnlessTest } from "../draft";
import { findMailKind } from "../editor/mail-kind";

/** Live lasts this long from the moment it is switched on; then the page is in test again. */
export const LIVE_LIMIT_MS = 15 * 60_000;

/** How a page that was posted without JavaScript comes back: in live or in test. */
export interface PostedMode {
  /** When live ends, in ms of the server's clock; null is test. */
  until: number | null;
  /** Ms until then. */
  leftMs: number;
  /** Live has run out since the page was made. */
  ended: boolean;
}

/** Whether live is over. A clock that was set back ends it too: nobody knows how long it has lasted then. */
export function isLiveOver(until: number, now: number): boolean {
  return now >= until || until - now > LIVE_LIMIT_MS;
}

/** "14:32" */
export function formatTimeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * The draft as the page's mode has it: the test box of a mail form is ticked in test and unticked in live, whatever
 * was kept, posted or opened from history.
 */
export function applyMode(draft: Draft, template: CallTemplate, live: boolean): Draft {
  if (findMailKind(template) === null) return draft;
  const test = live ? "" : "true";
  return dropFallbackUnlessTest(
    draft.values.test === test ? draft : { ...draft, values: { ...draft.values, test } },
  );
}

/** What a posted form says of its mode. */
interface PostedForm {
  /** Its `live_until`: when live ends, as the page was told; null on a page in test. */
  liveUntil: string | null;
  intent: string | null;
  /** The test box of a mail form; null where there is none. */
  testTicked: boolean | null;
}

/**
 * The mode of a posted form at `now`, in ms. `shown` is whether the page had said LIVE: unticking the test box
 * switches to live like the switch itself, but what is live is never sent before the page has said so.
 */
export function parsePostedMode(
  { liveUntil, intent, testTicked }: PostedForm,
  now: number,
): PostedMode & { shown: boolean } {
  const test = { until: null, leftMs: 0, ended: false, shown: false };
  const live = (until: number, shown: boolean) => ({ until, leftMs: until - now, ended: false, shown });
  const until = /^\d{1,15}$/.test(liveUntil ?? "") ? Number(liveUntil) : null;
  const running = until !== null && !isLiveOver(until, now);
  // Promoting is live for one send, and leaves the page in test.
  if (intent === "test" || intent === "promote") return test;
  if (intent === "live") return running ? live(until, true) : live(now + LIVE_LIMIT_MS, false);
  if (testTicked) return test;
  if (running) return live(until, true);
  if (liveUntil !== null) return { ...test, ended: true };
  return testTicked === false ? live(now + LIVE_LIMIT_MS, false) : test;
}
