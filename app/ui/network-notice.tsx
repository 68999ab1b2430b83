import { type Blocker, type BlockerFunction, useBlocker } from "@remix-run/react";
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { formatFetchFailure, formatHttpFailure, NETWORK_ERROR } from "./network-messages";
import { Notice } from "./notice";
import {
  getUnanswered,
  getWaiting,
  sendWaitingNow,
  setUnanswered,
  subscribeRequests,
  type Unanswered,
} from "./page-fetch";

const SECOND_MS = 1_000;

/** {@link getUnanswered} for components. */
export function useUnanswered(): Unanswered | null {
  return useSyncExternalStore(subscribeRequests, getUnanswered, () => null);
}

/** Reports requests without an answer, and if something may have changed. The page stays unchanged. */
export function NetworkNotice() {
  const waiting = useSyncExternalStore(subscribeRequests, getWaiting, () => null);
  const unanswered = useUnanswered();
  const open = useHeldNavigation();
  useEffect(() => {
    window.addEventListener("online", sendWaitingNow);
    return () => window.removeEventListener("online", sendWaitingNow);
  }, []);
  return (
    <div className="fixed inset-x-3 bottom-3 z-50 mx-auto grid max-w-2xl gap-2 [&>*]:bg-surface [&>*]:shadow-lg">
      {unanswered ? (
        <Failed action="Close" onAction={() => setUnanswered(null)}>
          {unanswered.answer === null
            ? NETWORK_ERROR
            : formatHttpFailure(unanswered.answer).replace(/\.?$/, ".")}{" "}
          {unanswered.unchanged
            ? "Nothing was changed."
            : "It may have been done, so check before you try again."}
        </Failed>
      ) : null}
      {waiting?.busy ? (
        <Busy key={waiting.until} until={waiting.until ?? 0} />
      ) : waiting ? (
        <Failed action="Retry" onAction={sendWaitingNow}>
          {formatFetchFailure(waiting.answer)}
        </Failed>
      ) : open ? (
        <Failed action="Retry" onAction={open}>
          {formatFetchFailure(null)}
        </Failed>
      ) : null}
    </div>
  );
}

function Failed({
  action,
  onAction,
  children,
}: {
  action: string;
  onAction: () => void;
  children: ReactNode;
}) {
  return (
    <div className="rounded-[6px]">
      <Notice tone="bad" urgent>
        {children}{" "}
        <button type="button" className="link" onClick={onAction}>
          {action}
        </button>
      </Notice>
    </div>
  );
}

function Busy({ until }: { until: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="rounded-[6px]" role="status">
      <Notice tone="warn" title="The console is busy.">
        Trying again in {Math.max(1, Math.ceil((until - now) / SECOND_MS))} s. Nothing you typed is lost.{" "}
        <button type="button" className="button" onClick={sendWaitingNow}>
          Try now
        </button>
      </Notice>
    </div>
  );
}

const leavesOffline: BlockerFunction = ({ currentLocation, nextLocation }) =>
  !navigator.onLine && currentLocation.pathname !== nextLocation.pathname;

/**
 * Blocks navigation while the browser is offline, because Remix reloads the whole page when a script of the next one cannot be
 * loaded. Continues when the server is reachable, for example on this machine.
 * @returns retries the navigation; null while none is blocked
 */
function useHeldNavigation(): (() => void) | null {
  const blocker = useBlocker(leavesOffline);
  const [held, setHeld] = useState<Blocker | null>(null);
  useEffect(() => {
    if (blocker.state === "blocked") tryToOpen(blocker, setHeld);
  }, [blocker]);
  return held !== null && held === blocker ? () => tryToOpen(blocker, setHeld) : null;
}

function tryToOpen(blocker: Blocker, onFailed: (blocker: Blocker) => void): void {
  fetch("/healthz").then(
    () => blocker.proceed?.(),
    () => onFailed(blocker),
  );
}
