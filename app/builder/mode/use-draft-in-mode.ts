import { useCallback, useMemo } from "react";
import type { CallTemplate, Draft } from "../draft";
import { findMailKind } from "../editor/mail-kind";
import { type DraftChange, useDraft } from "../use-draft";
import { alignDraft } from "./mode";
import type { LiveMode } from "./use-live-mode";

/**
 * The draft as the page's mode has it. The test box of a mail form is a handle of the mode; underneath, such a draft
 * is always a test, so that live leaves nothing behind.
 */
export function useModedDraft(template: CallTemplate, posted: Draft | null, mode: LiveMode) {
  const [{ draft: written, revision }, write] = useDraft(
    template,
    posted && alignDraft(posted, template, false),
  );
  const live = mode.until !== null;
  const draft = useMemo(() => alignDraft(written, template, live), [written, template, live]);
  const mail = findMailKind(template) !== null;
  const { switchTo } = mode;
  const change = useCallback(
    (asked: DraftChange) => {
      if (mail && asked.type === "value" && asked.name === "test") switchTo(asked.value !== "true");
      else if (asked.type === "open" && asked.draft) {
        write({ ...asked, draft: alignDraft(asked.draft, asked.template, false) });
      } else write(asked);
    },
    [mail, switchTo, write],
  );
  return { draft, revision, change };
}
