import { useLocation, useNavigate } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Draft } from "../draft/draft";
import type { HistoryEntry } from "../history/history";

/** Load & Send waits this long between loading and sending. */
const LOAD_AND_SEND_DELAY_MS = 100;

/** What to do when the requested preset has loaded. */
export interface ArrivalTask {
  draft?: Draft;
  /** Files that history could not keep. */
  dropped?: string[];
  /** The draft is a curl command, of which this is to be said. */
  curl?: { notes: string[] };
  /** The draft is this entry of the history, whose answer is shown with it. */
  earlier?: HistoryEntry;
  send?: boolean;
}

/**
 * Opens presets: `start` puts one into the form when it has loaded, and Load & Send sends it a moment later.
 * @param loaded the preset that the page was loaded with
 */
export function usePresetNavigation(loaded: string, start: (task?: ArrivalTask) => void, send: () => void) {
  const navigate = useNavigate();
  const location = useLocation();
  const tasks = useRef(new Map<string, ArrivalTask>());
  const taskId = String(location.state?.task ?? "");
  const [shown, setShown] = useState(loaded);
  if (shown !== loaded) {
    setShown(loaded);
    start(tasks.current.get(taskId));
  }

  const sendNow = useRef(send);
  sendNow.current = send;
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const sendSoon = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => sendNow.current(), LOAD_AND_SEND_DELAY_MS);
  }, []);

  // Each task is done once: a reload or the back button must not send again.
  useEffect(() => {
    const task = tasks.current.get(taskId);
    tasks.current.delete(taskId);
    if (task?.send) sendSoon();
  }, [taskId, sendSoon]);

  return function open(presetId: string, documented: boolean, task: ArrivalTask) {
    clearTimeout(timer.current);
    if (loaded === `${presetId} ${documented}`) {
      start(task);
      if (task.send) sendSoon();
      return;
    }
    const id = String(Date.now());
    tasks.current.set(id, task);
    navigate(`/?preset=${presetId}${documented ? "&call=documented" : ""}`, {
      preventScrollReset: true,
      state: { task: id },
    });
  };
}
