import { formatSavedDraft } from "./messages";
import { formatSavedTime } from "./saved-draft";
import type { AutosaveView } from "./use-autosave";

/** Says that a saved draft was restored or set aside, with a button for the other of the two. */
export function AutosaveLine({ autosave }: { autosave: AutosaveView }) {
  const { savedDraft, startFresh, restore } = autosave;
  return (
    <div role="status" className="px-4 pt-3 text-dim empty:hidden">
      {savedDraft ? (
        <>
          {formatSavedDraft(formatSavedTime(savedDraft.savedAt, Date.now()), savedDraft)}{" "}
          <button type="button" className="link" onClick={savedDraft.inForm ? startFresh : restore}>
            {savedDraft.inForm ? "Start fresh" : "Restore draft"}
          </button>
        </>
      ) : null}
    </div>
  );
}
