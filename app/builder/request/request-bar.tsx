import { useLocation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import type { Method } from "~/catalogue/types";
import { Badge } from "~/ui/badge";
import type { Draft } from "../draft";
import type { DraftChange } from "../use-draft";
import type { BaseUrlView } from "./base-url-view";

const METHODS: Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Method, address and the send button. */
export function RequestBar({
  draft,
  base,
  change,
  block,
  loading,
  signedIn,
  sendingLive,
  liveSend,
  modeSwitch,
  onStop,
}: {
  draft: Draft;
  base: BaseUrlView;
  change: (change: DraftChange) => void;
  /** Why Send is disabled, or null. */
  block: string | null;
  loading: boolean;
  signedIn: boolean;
  /** Whether the request being sent is live mail. */
  sendingLive: boolean;
  /** For live mail: what is sent to whom, and what it costs. Null for every other call. */
  liveSend: string | null;
  /** The test/live switch, for calls that could be live mail. */
  modeSwitch: ReactNode;
  onStop: () => void;
}) {
  const { pathname, search } = useLocation();
  const returnTo = pathname + search;
  const button = useRef<HTMLButtonElement>(null);
  const wasLoading = useRef(loading);
  // Send and Stop replace each other: the keyboard focus moves to the new button.
  useEffect(() => {
    if (wasLoading.current === loading) return;
    wasLoading.current = loading;
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, [loading]);
  const live = liveSend !== null;
  return (
    <div className="sticky top-1.5 z-10 flex flex-wrap items-center gap-2 bg-paper px-4 py-2.5">
      {/* Enter in a field presses the first button of a form: it sends, but never live mail. */}
      {signedIn ? (
        <button
          type="submit"
          name="intent"
          value={live ? "update" : "send"}
          disabled={block !== null}
          tabIndex={-1}
          aria-hidden
          className="sr-only"
        />
      ) : null}
      <select
        name="method"
        aria-label="Method"
        className="control wire w-24! font-semibold"
        value={draft.method}
        onChange={(event) => change({ type: "method", method: event.target.value as Method })}
      >
        {METHODS.map((method) => (
          <option key={method}>{method}</option>
        ))}
      </select>
      <div className="control wire flex min-w-48 flex-1 items-center py-0! focus-within:outline-2 focus-within:outline-accent">
        <span className="min-w-0 truncate text-dim" title={base.url}>
          {base.url.replace(/^https?:\/\//, "")}/
        </span>
        <input
          name="path"
          aria-label="Path"
          className="min-w-[60%] flex-1 self-stretch bg-transparent outline-none"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          value={draft.path}
          onChange={(event) => change({ type: "path", path: event.target.value })}
        />
        {base.appendJson ? <span className="text-dim">.json</span> : null}
      </div>
      {modeSwitch}
      {loading && sendingLive ? <Badge tone="bad">Sending LIVE</Badge> : null}
      {loading ? (
        // The keys differ: if React reused the element as the Send button within one click, it would submit the form.
        <button key="stop" ref={button} type="button" className="button" onClick={onStop}>
          Stop
        </button>
      ) : signedIn ? (
        <button
          key="send"
          ref={button}
          type="submit"
          name="intent"
          value="send"
          className={`button ${live ? "button-live w-full whitespace-normal!" : "button-primary max-sm:w-full"}`}
          disabled={block !== null}
          title={block ?? undefined}
          aria-keyshortcuts="Control+Enter"
        >
          <span className="min-w-0 [overflow-wrap:anywhere]">{live ? `Send LIVE: ${liveSend}` : "Send"}</span>
          <kbd
            aria-hidden
            className={`invisible whitespace-nowrap font-normal text-small in-data-[script=ready]:visible max-sm:hidden ${
              live ? "" : "opacity-70"
            }`}
          >
            Ctrl ↵
          </kbd>
        </button>
      ) : (
        <a href={`/api/auth/login?${new URLSearchParams({ returnTo })}`} className="button button-primary">
          Log in to send
        </a>
      )}
    </div>
  );
}
