import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

const POLL_MS = 2_000;

/** Reloads the page's data every 2 seconds while mounted, or the whole page without JavaScript. */
export function PollUntilDone() {
  const { state, revalidate } = useRevalidator();
  useEffect(() => {
    if (state !== "idle") return;
    const timer = setTimeout(revalidate, POLL_MS);
    return () => clearTimeout(timer);
  }, [state, revalidate]);
  return (
    <noscript>
      <meta httpEquiv="refresh" content={String(POLL_MS / 1000)} />
    </noscript>
  );
}
