import { useEffect, useState, useSyncExternalStore } from "react";
import { Notice } from "./notice";
import { getWaiting, sendWaitingNow, subscribeWaiting } from "./patient-fetch";

const SECOND_MS = 1_000;

/** Says that a request waits for a busy server, and when it is sent again. The page stays as it is meanwhile. */
export function BusyNotice() {
  const waiting = useSyncExternalStore(subscribeWaiting, getWaiting, () => null);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!waiting) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [waiting]);
  if (!waiting) return null;
  const seconds = Math.max(1, Math.ceil((waiting.until - now) / SECOND_MS));
  return (
    <div
      className="fixed inset-x-3 bottom-3 z-50 mx-auto max-w-2xl rounded-[6px] bg-surface shadow-lg"
      role="status"
    >
      <Notice tone="warn" title="The console is busy.">
        Trying again in {seconds} s. Nothing you typed is lost.{" "}
        <button type="button" className="button" onClick={sendWaitingNow}>
          Try now
        </button>
      </Notice>
    </div>
  );
}
