import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { Badge } from "~/ui/badge";
import { FORM_ID } from "../forms/form-context";

/** Sends the Builder's form, or stops the send in progress. Signed out it leads to the login. */
export function SendButton({
  word,
  block,
  loading,
  signedIn,
  primary,
  sendingLive,
  liveSend,
  onStop,
}: {
  /** Label of the button when nothing live is sent. */
  word: string;
  /** Why it is disabled, or null. */
  block: string | null;
  loading: boolean;
  signedIn: boolean;
  /** True when it is the page's main button. */
  primary: boolean;
  /** True when the request being sent is live mail. */
  sendingLive: boolean;
  /** Piece, recipient and price of live mail; null for every other call. */
  liveSend: string | null;
  onStop: () => void;
}) {
  const { pathname, search } = useLocation();
  const button = useRef<HTMLButtonElement>(null);
  const wasLoading = useRef(loading);
  // Send and Stop replace each other: the keyboard focus moves to the new button.
  useEffect(() => {
    if (wasLoading.current === loading) return;
    wasLoading.current = loading;
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, [loading]);
  if (loading) {
    return (
      <>
        {sendingLive ? <Badge tone="bad">Sending LIVE</Badge> : null}
        {/* The keys differ: if React reused the element as the Send button within one click, it would submit the form. */}
        <button key="stop" ref={button} type="button" className="button max-sm:order-5" onClick={onStop}>
          Stop
        </button>
      </>
    );
  }
  if (!signedIn) {
    return (
      <a
        href={`/api/auth/login?${new URLSearchParams({ returnTo: pathname + search })}`}
        className="button button-primary max-sm:order-5 max-sm:grow"
      >
        Log in to send
      </a>
    );
  }
  const live = liveSend !== null;
  return (
    <button
      key="send"
      ref={button}
      form={FORM_ID}
      type="submit"
      name="intent"
      value="send"
      className={`button max-sm:order-5 ${live ? "button-live whitespace-normal! max-sm:w-full" : `${primary ? "button-primary" : ""} max-sm:grow`}`}
      disabled={block !== null}
      title={block ?? undefined}
      aria-keyshortcuts={live ? undefined : "Control+Enter"}
    >
      <span className="min-w-0 [overflow-wrap:anywhere]">{live ? `Send LIVE: ${liveSend}` : word}</span>
      {live ? null : (
        <kbd
          aria-hidden
          className="invisible whitespace-nowrap font-normal text-[11px] opacity-70 in-data-[script=ready]:visible max-sm:hidden"
        >
          Ctrl ↵
        </kbd>
      )}
    </button>
  );
}
