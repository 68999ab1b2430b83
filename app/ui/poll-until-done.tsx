import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

const ASK_MS = 2_000;

/** Asks the server again until what is being confirmed is; without JavaScript by loading the page anew. */
export function PollUntilDone() {
  const { state, revalidate } = useRevalidator();
  useEffect(() => {
    if (state !== "idle") return;
    const timer = setTimeout(revalidate, ASK_MS);
    return () => clearTimeout(timer);
  }, [state, revalidate]);
  return (
    <noscript>
      <meta httpEquiv="refresh" content={String(ASK_MS / 1000)} />
    </noscript>
  );
}
