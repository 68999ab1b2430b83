import { useMemo } from "react";
import { Notice } from "~/ui/notice";
import { listFindings } from "../layout/findings";
import type { PreviewState } from "../layout/preview-content";
import type { LetterPages } from "../letter/letter-drawing";
import { PREVIEW } from "../messages";

/** What would be printed wrong, and what the preview cannot show; screen readers announce changes. */
export function FindingsList({ state, letter }: { state: PreviewState; letter: LetterPages | null }) {
  const findings = useMemo(() => listFindings(state, letter), [state, letter]);
  return (
    <ul aria-live="polite" aria-label={PREVIEW.notes} className="grid gap-2 px-4 empty:hidden">
      {findings.map(({ code, tone, text }) => (
        <li key={code}>
          <Notice tone={tone}>{text}</Notice>
        </li>
      ))}
    </ul>
  );
}
