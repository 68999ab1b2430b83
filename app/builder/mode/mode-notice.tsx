import { Notice } from "~/ui/notice";
import { IntentButton } from "../intent-button";
import { BLOCKED_IN_TEST, MODE_MESSAGES } from "../messages";
import type { Mode } from "./use-mode";

/** What happened to the mode, and a button to switch to live for what cannot be sent in test mode. */
export function ModeNotice({ mode, blocked, action }: { mode: Mode; blocked: boolean; action: string }) {
  const { message } = mode;
  if (message === null && !blocked) return null;
  return (
    <div className="grid gap-2 p-4 pb-0">
      {message ? (
        <Notice tone="warn" urgent>
          {MODE_MESSAGES[message]}
        </Notice>
      ) : null}
      {blocked ? (
        <Notice tone="warn" title={BLOCKED_IN_TEST} urgent>
          <IntentButton
            intent="live"
            formAction={action}
            className="link"
            onPress={() => mode.switchTo(true)}
          >
            Switch to Live
          </IntentButton>{" "}
          to send it.
        </Notice>
      ) : null}
    </div>
  );
}
