import { useMemo } from "react";
import { Notice } from "~/ui/notice";
import { listFindings } from "../layout/findings";
import type { PreviewState } from "../layout/preview-content";

/** What would be printed wrong, and what the proof cannot show; said aloud as it changes. */
export function FindingsList({ state }: { state: PreviewState }) {
  const findings = useMemo(() => listFindings(state), [state]);
  return (
    <ul aria-live="polite" aria-label="About this proof" className="grid gap-2 px-4 empty:hidden">
      {findings.map(({ tone, text }) => (
        <li key={text}>
          <Notice tone={tone}>{text}</Notice>
        </li>
      ))}
    </ul>
  );
}
