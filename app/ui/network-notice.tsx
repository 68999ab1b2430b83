import { type Blocker, type BlockerFunction, useBlocker } from "@remix-run/react";
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { parseJson, parseRecord } from "~/platform/json-value";
import { Notice } from "./notice";
import {
  type ForeignAnswer,
  getUnanswered,
  getWaiting,
  sendWaitingNow,
  setUnanswered,
  subscribeRequests,
  type Unanswered,
} from "./page-fetch";

const SECOND_MS = 1_000;

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
          {unanswered.answer ? formatHttpFailure(unanswered.answer).replace(/\.?$/, ".") : NETWORK_ERROR}{" "}
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

type FailedProps = { action: string; onAction: () => void; children: ReactNode };

function Failed({ action, onAction, children }: FailedProps) {
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

export const NETWORK_ERROR = "Network error: Please check your connection and try again.";

export const SERVICE_UNAVAILABLE = "Service temporarily unavailable. Please try again in a few moments.";
export const FETCH_FAILED = "Failed to fetch data";
const BY_STATUS: Record<number, string> = {
  404: "API endpoint not found. Please refresh the page and try again.",
  503: SERVICE_UNAVAILABLE,
};
const MAX_CHARS = 200;

/** Explains a failed fetch; `answer` is null when the server was not reached. */
export function formatFetchFailure(answer: ForeignAnswer | null): string {
  if (answer === null) return "Network error: Please check your internet connection and try again.";
  if (answer.status < 400) return FETCH_FAILED;
  return BY_STATUS[answer.status] ?? formatHttpFailure(answer);
}

/** Returns the `error` field of an answer, or 'HTTP {status}: {text}', with the title of an HTML page. */
export function formatHttpFailure({ status, text }: ForeignAnswer): string {
  const { error } = parseRecord(parseJson(text));
  if (typeof error === "string" && error !== "") return error;
  return `HTTP ${status}: ${toLine(text)}`.replace(/: $/, "");
}

function toLine(text: string): string {
  const [, title] = /<title[^>]*>([^<]*)<\/title>/i.exec(text) ?? [];
  const line = (title ?? text.replace(/<[^>]*>/g, " ")).replace(/\s+/g, " ").trim();
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}...` : line;
}
