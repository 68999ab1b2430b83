import { useCallback, useMemo } from "react";
import type { CallTemplate, Draft } from "../draft";
import { findMailKind } from "../editor/mail-kind";
import { type DraftChange, useDraft } from "../use-draft";
import { applyMode } from "./mode";
import type { Mode } from "./use-mode";

/**
 * The draft with the page's mode applied. The test box of a mail form switches the mode. The stored draft is always a
 * test, so that live mode never outlasts the page.
 */
export function useDraftInMode(template: CallTemplate, posted: Draft | null, mode: Mode) {
  const [{ draft: written, revision, reading }, write] = useDraft(
    template,
    posted && applyMode(posted, template, false),
  );
  const live = mode.until !== null;
  const draft = useMemo(() => applyMode(written, template, live), [written, template, live]);
  const mail = findMailKind(template) !== null;
  const { switchTo } = mode;
  const change = useCallback(
    (asked: DraftChange) => {
      if (mail && asked.type === "value" && asked.name === "test") switchTo(asked.value !== "true");
      else if (asked.type === "open" && asked.draft) {
        write({ ...asked, draft: applyMode(asked.draft, asked.template, false) });
      } else write(asked);
    },
    [mail, switchTo, write],
  );
  return { draft, revision, reading, change };
}
