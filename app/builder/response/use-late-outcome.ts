import { useFetcher, useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import type { ProxyResponse } from "~/sending/proxy-types";
import type { Story } from "~/story/story";

const POLL_MS = 2_000;

/** What became of a piece whose answer left that open: asks its page every 2 s until it is known. Null before. */
export function useLateOutcome(response: ProxyResponse | null): Story | null {
  const { load, data, state } = useFetcher();
  const { revalidate } = useRevalidator();
  const sendId = (response?.credits?.pending && response.send_id) || null;
  const story = (data as { story: Story } | undefined)?.story;
  // The page of the piece that an earlier answer was about is not this one's.
  const settled = story && story.id === sendId && !story.checking ? story : null;
  const known = settled !== null;
  const open = sendId !== null && !known;
  useEffect(() => {
    if (!open || state !== "idle") return;
    const timer = setInterval(() => {
      // Offline Remix cannot load the route's script, and reloads the page.
      if (navigator.onLine) load(`/sends/${sendId}`);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [open, sendId, state, load]);
  // The header still shows the balance from before.
  useEffect(() => {
    if (known) revalidate();
  }, [known, revalidate]);
  return settled;
}
