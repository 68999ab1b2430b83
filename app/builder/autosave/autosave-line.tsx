import { formatSavedTime } from "./saved-draft";
import type { AutosaveView, SavedDraftLine } from "./use-autosave";

/** That a kept draft is back, or set aside, with the other of the two to choose. */
export function AutosaveLine({ kept }: { kept: AutosaveView }) {
  const { line, startFresh, bringBack } = kept;
  return (
    <div role="status" className="px-4 pt-3 text-dim empty:hidden">
      {line ? (
        <>
          {formatSavedDraftLine(line)}{" "}
          <button type="button" className="link" onClick={line.inForm ? startFresh : bringBack}>
            {line.inForm ? "Start fresh" : "Bring it back"}
          </button>
        </>
      ) : null}
    </div>
  );
}

function formatSavedDraftLine({ savedAt, inForm, missing, live, doubtful }: SavedDraftLine): string {
  const which = `Your draft of ${formatSavedTime(savedAt, Date.now())}`;
  const again = missing.length === 1 ? "it was" : "they were";
  return [
    inForm ? `${which} is back.` : `${which} is set aside.`,
    doubtful
      ? "It was sent live, and this page cannot tell what came of that: look before you send it again."
      : "",
    inForm && live ? "Test mode is on again." : "",
    missing.length > 0 ? `Choose ${missing.join(", ")} again: ${again} not kept.` : "",
  ]
    .filter(Boolean)
    .join(" ");
}
