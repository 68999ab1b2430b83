import { useCallback, useEffect, useRef, useState } from "react";
import { isLiveOver, LIVE_LIMIT_MS, type PostedMode } from "./mode";

export interface Mode {
  /** When live ends, in ms; null is test. */
  until: number | null;
  /** Ms that were left when the page was posted without JavaScript; the whole time otherwise. */
  postedLeftMs: number;
  /** What is to be said of the mode, until the next act. */
  notice: ModeNotice | null;
  /** Switches by an explicit act. */
  switchTo: (live: boolean) => void;
  say: (notice: ModeNotice | null) => void;
  /** Ends live where its time is over, which a clock of a sleeping machine tells late. True: it is over. */
  endIfOver: () => boolean;
}

export type ModeNotice = "ended" | "ended_under_way" | "not_loaded_and_sent";

/**
 * Whether this page is in live. It opens in test, keeps nothing, and falls back to test by itself.
 * @param underWay whether a send of live mail is on its way now
 */
export function useMode(posted: PostedMode | null, underWay: boolean): Mode {
  const [until, setUntil] = useState(posted?.until ?? null);
  const [notice, say] = useState<ModeNotice | null>(posted?.ended ? "ended" : null);
  const sending = useRef(underWay);
  sending.current = underWay;

  // The server's clock and this machine's may differ; how long is left does not.
  const leftMs = useRef(posted?.until ? posted.leftMs : null);
  useEffect(() => {
    if (leftMs.current !== null) setUntil(Date.now() + leftMs.current);
    leftMs.current = null;
  }, []);

  const endIfOver = useCallback(() => {
    if (until === null || !isLiveOver(until, Date.now())) return false;
    setUntil(null);
    say(sending.current ? "ended_under_way" : "ended");
    return true;
  }, [until]);

  useEffect(() => {
    if (until === null) return;
    // Timers sleep with the machine and crawl in hidden pages: each return to the page compares clocks.
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
    say(null);
    setUntil((now) => (live ? (now ?? Date.now() + LIVE_LIMIT_MS) : null));
  }, []);

  return {
    until,
    postedLeftMs: posted?.until ? posted.leftMs : LIVE_LIMIT_MS,
    notice,
    switchTo,
    say,
    endIfOver,
  };
}
