import { useCallback, useEffect, useRef, useState } from "react";
import type { MODE_MESSAGES } from "./messages";
import { isLiveOver, LIVE_LIMIT_MS, type PostedMode } from "./mode";

export interface Mode {
  /** When live ends, in ms; null in test mode. */
  until: number | null;
  /** Ms that were left when the page was posted without JavaScript; else the whole time. */
  postedLeftMs: number;
  /** Shown until the next action. */
  message: ModeMessage | null;
  switchTo: (live: boolean) => void;
  showMessage: (message: ModeMessage | null) => void;
  /** Ends live mode if its time is over, and returns whether it is. The timer of a machine that slept may be late. */
  endIfOver: () => boolean;
}

type ModeMessage = keyof typeof MODE_MESSAGES;

/**
 * True when this page is in live mode. A page opens in test mode, stores nothing, and returns to test automatically.
 * @param sendingLive whether a live send is in progress
 */
export function useMode(posted: PostedMode | null, sendingLive: boolean): Mode {
  const [until, setUntil] = useState(posted?.until ?? null);
  const [message, showMessage] = useState<ModeMessage | null>(posted?.ended ? "ended" : null);
  const sending = useRef(sendingLive);
  sending.current = sendingLive;

  // The server's clock and this machine's may differ, so only the time left is used.
  const leftMs = useRef(posted?.until ? posted.leftMs : null);
  useEffect(() => {
    if (leftMs.current !== null) setUntil(Date.now() + leftMs.current);
    leftMs.current = null;
  }, []);

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
    const moments = ["pageshow", "focus"] as const;
    for (const moment of moments) window.addEventListener(moment, endIfOver);
    document.addEventListener("visibilitychange", endIfOver);
    return () => {
      clearInterval(timer);
      for (const moment of moments) window.removeEventListener(moment, endIfOver);
      document.removeEventListener("visibilitychange", endIfOver);
    };
  }, [until, endIfOver]);

  const switchTo = useCallback((live: boolean) => {
    showMessage(null);
    setUntil((now) => (live ? (now ?? Date.now() + LIVE_LIMIT_MS) : null));
  }, []);

  return {
    until,
    postedLeftMs: posted?.until ? posted.leftMs : LIVE_LIMIT_MS,
    message,
    switchTo,
    showMessage,
    endIfOver,
  };
}
