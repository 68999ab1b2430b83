import { useLocation, useNavigate } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Draft } from "./draft";

/** spec §4: Load & Send waits this long between loading and sending. */
const LOAD_AND_SEND_DELAY_MS = 100;

/** What to do once the preset that was asked for has arrived. */
export interface ArrivalTask {
  draft?: Draft;
  /** Files that history could not keep. */
  dropped?: string[];
  send?: boolean;
}

/**
 * Opens presets: `start` puts one into the form as soon as it is there, and Load & Send sends it a moment later.
 * `arrived` names the preset that the page was loaded with.
 */
export function usePresetNavigation(
  arrived: string,
  start: (opening?: ArrivalTask) => void,
  send: () => void,
) {
  const navigate = useNavigate();
  const location = useLocation();
  const openings = useRef(new Map<string, ArrivalTask>());
  const openingId = String(location.state?.opening ?? "");
  const [shown, setShown] = useState(arrived);
  if (shown !== arrived) {
    setShown(arrived);
    start(openings.current.get(openingId));
  }

  const sendNow = useRef(send);
  sendNow.current = send;
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const sendSoon = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => sendNow.current(), LOAD_AND_SEND_DELAY_MS);
  }, []);

  // Each opening counts once: a reload or the back button must not send again.
  useEffect(() => {
    const opening = openings.current.get(openingId);
    openings.current.delete(openingId);
    if (opening?.send) sendSoon();
  }, [openingId, sendSoon]);

  return function open(presetId: string, documented: boolean, opening: ArrivalTask) {
    clearTimeout(timer.current);
    if (arrived === `${presetId} ${documented}`) {
      start(opening);
      if (opening.send) sendSoon();
      return;
    }
    const id = String(Date.now());
    openings.current.set(id, opening);
    navigate(`/?preset=${presetId}${documented ? "&call=documented" : ""}`, {
      preventScrollReset: true,
      state: { opening: id },
    });
  };
}
