import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

const POLL_MS = 2_000;

/** Loads the page's data again every 2 seconds while it is mounted; without JavaScript it reloads the page. */
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
