import { Notice } from "~/ui/notice";
import type { Mode, ModeNotice as Said } from "./use-mode";

const ENDED = "Live ended after 15 minutes. This page is in test again";
const SENTENCES: Record<Said, string> = {
  ended: `${ENDED}; nothing was sent.`,
  ended_under_way: `${ENDED}; the send that is under way goes on.`,
  not_loaded_and_sent: "Load & Send sends no live mail: the preset was loaded and nothing was sent.",
};
/** Why live mail that was written by hand is kept back. */
export const TEST_BLOCK = "This would be mailed for real, and this page is in test.";

/** What is to be said of the mode; and the way to live for what cannot be sent in test. */
export function ModeNotice({ mode, blocked, action }: { mode: Mode; blocked: boolean; action: string }) {
  const { notice } = mode;
  if (notice === null && !blocked) return null;
  return (
    <div className="grid gap-2 p-4 pb-0">
      {notice ? (
        <Notice tone="warn" urgent>
          {SENTENCES[notice]}
        </Notice>
      ) : null}
      {blocked ? (
        <Notice tone="warn" title={TEST_BLOCK} urgent>
          <button
            type="submit"
            name="intent"
            value="live"
            formAction={action}
            className="link"
            onClick={(event) => {
              event.preventDefault();
              mode.switchTo(true);
            }}
          >
            Switch to Live
          </button>{" "}
          to send it.
        </Notice>
      ) : null}
    </div>
  );
}
