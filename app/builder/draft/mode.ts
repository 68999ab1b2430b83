import { useCallback, useEffect, useRef, useState } from "react";
import type { PresetCall } from "~/catalogue/types";
import type { MailType } from "~/pieces/mail-type";
import type { Scope } from "~/platform/http/token-scopes";
import type { Outcome } from "~/platform/outcome";
import { decodePercent } from "~/platform/percent";
import { type CallClass, classifyCall, findCallScope } from "~/proxy/live-mail-rule";
import { carriesBody, type Draft, dropFallbackUnlessTest, findMailKind } from "./draft";
import type { MODE_MESSAGES } from "./messages";
import { buildBody, fillPath } from "./request";

export const LIVE_LIMIT_MS = 15 * 60_000;

/** The mode of a page that was posted without JavaScript. */
export interface PostedMode {
  /** When live ends, in ms of the server's clock; null in test mode. */
  until: number | null;
  leftMs: number;
  /** Live mode expired since the page was rendered. */
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

/** Sets the test box of a mail form by the mode. */
export function applyMode(draft: Draft, call: PresetCall, live: boolean): Draft {
  if (findMailKind(call) === null) return draft;
  const test = live ? "" : "true";
  return dropFallbackUnlessTest(
    draft.values.test === test ? draft : { ...draft, values: { ...draft.values, test } },
  );
}

/** Parses the mode of a posted form at `now`, in ms. `shown` is true if the page already said LIVE; nothing live is sent before. */
export function parsePostedMode(
  { liveUntil, intent }: { liveUntil: string | null; intent: string | null },
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

export type Mode = ReturnType<typeof useMode>;

/** The mode of this page. A page opens in test mode, stores nothing, and returns to test automatically. */
export function useMode(posted: PostedMode | null, sendingLive: boolean) {
  const [until, setUntil] = useState(posted?.until ?? null);
  const [message, showMessage] = useState<keyof typeof MODE_MESSAGES | null>(posted?.ended ? "ended" : null);
  const sending = useRef(sendingLive);
  sending.current = sendingLive;

  // The server's clock and this machine's may differ, so only the time left is used.
  const leftMs = useRef(posted?.until ? posted.leftMs : null);
  useEffect(() => {
    if (leftMs.current !== null) setUntil(Date.now() + leftMs.current);
    leftMs.current = null;
  }, []);

  /** Ends live mode if its time is over, and returns whether it is. The timer of a machine that slept may be late. */
  const endIfOver = useCallback(() => {
    if (until === null || !isLiveOver(until, Date.now())) return false;
    setUntil(null);
    showMessage(sending.current ? "ended_while_sending" : "ended");
    return true;
  }, [until]);

  useEffect(() => {
    if (until === null) return;
    // Timers stop while a machine sleeps and slow down in hidden pages, so the clock is checked on every return.
    const timer = setInterval(endIfOver, 1_000);
    const moments = ["pageshow", "focus", "visibilitychange"];
    for (const moment of moments) window.addEventListener(moment, endIfOver);
    return () => {
      clearInterval(timer);
      for (const moment of moments) window.removeEventListener(moment, endIfOver);
    };
  }, [until, endIfOver]);

  const switchTo = useCallback((live: boolean) => {
    showMessage(null);
    setUntil((now) => (live ? (now ?? Date.now() + LIVE_LIMIT_MS) : null));
  }, []);

  return {
    /** When live ends, in ms; null in test mode. */
    until,
    /** Ms that were left when the page was posted without JavaScript; else the whole time. */
    postedLeftMs: posted?.until ? posted.leftMs : LIVE_LIMIT_MS,
    /** Shown until the next action. */
    message,
    switchTo,
    showMessage,
    endIfOver,
  };
}

/** Finds the kind of real mail that sending this draft would create, or null. Page and server share the rule: classifyCall. */
export function findLiveMailType(draft: Draft, call: PresetCall): MailType | null {
  if (!carriesBody(draft.method)) return null;
  try {
    // While the form is incomplete its body is empty, but its test box still decides.
    const byForm = draft.body === null && findMailKind(call) !== null;
    const body = byForm ? { test: draft.values.test === "true" } : (buildBody(draft, call) ?? {});
    // The server may parse a text as form fields, so a text always counts as live here.
    return findLiveKind(classify(draft, typeof body === "string" ? {} : body));
  } catch {
    return null;
  }
}

/** Finds the kind of real mail that a call creates, or null. */
export function findLiveKind(classified: Outcome<CallClass>): MailType | null {
  if (!classified.ok || classified.value.kind !== "mail" || classified.value.test) return null;
  return classified.value.mailType;
}

/** Finds the scope that sending this draft needs, or loading and sending this preset. */
export function findSendScope(
  draft: Pick<Draft, "method" | "path" | "values">,
  liveMailType: MailType | null = null,
): Scope {
  if (liveMailType !== null) return "send:live";
  const classified = classify(draft, { test: true });
  return classified.ok ? findCallScope(classified.value, draft.method) : "read";
}

/** Finds the kind of mail that this call creates, test or live; null when it creates none. */
export function findMailType(draft: Draft): MailType | null {
  const classified = classify(draft, { test: true });
  return classified.ok && classified.value.kind === "mail" ? classified.value.mailType : null;
}

function classify(draft: Pick<Draft, "method" | "path" | "values">, body: unknown): Outcome<CallClass> {
  // Decoded as the server does it, so that an escaped path is recognised as mail here too.
  const path = fillPath(draft)
    .split("/")
    .map((segment) => decodePercent(segment) ?? segment)
    .join("/");
  return classifyCall({ method: draft.method, path, query: {}, body }, []);
}
