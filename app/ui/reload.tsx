import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

const POLL_MS = 2_000;

/** Reloads the page's data at this interval while the page is visible. */
export function useReload(intervalMs: number): void {
  const { state, revalidate } = useRevalidator();
  useEffect(() => {
    if (state !== "idle") return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") revalidate();
    }, intervalMs);
    return () => clearInterval(timer);
  }, [state, revalidate, intervalMs]);
}

/** Reloads the page's data every 2 seconds while mounted, or the whole page without JavaScript. */
export function PollUntilDone() {
  useReload(POLL_MS);
  return (
    <noscript>
      <meta httpEquiv="refresh" content={String(POLL_MS / 1000)} />
    </noscript>
  );
}
