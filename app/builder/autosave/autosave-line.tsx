import { Link } from "@remix-run/react";
import { formatEarlierSend, formatSavedDraft } from "./messages";
import { formatSavedTime } from "./saved-draft";
import type { AutosaveView } from "./use-autosave";

/**
 * Says that a saved draft was restored or set aside, with a button for the other of the two, and what became of a live send
 * during which the page was left.
 */
export function AutosaveLine({ kind, autosave }: { kind: string; autosave: AutosaveView }) {
  const { savedDraft, earlier, startFresh, restore } = autosave;
  const send = earlier?.send ?? null;
  const sentAt = send ? formatSavedTime(Date.parse(send.created_at), Date.now()) : "";
  return (
    <div role="status" className="px-4 pt-3 text-dim empty:hidden">
      {earlier ? (
        <p className="text-ink">
          {formatEarlierSend(kind, send, sentAt, earlier.isOpen)}{" "}
          {send ? (
            <Link to={`/sends/${send.id}`} className="link">
              View piece
            </Link>
          ) : null}
        </p>
      ) : null}
      {savedDraft ? (
        <>
          {formatSavedDraft(formatSavedTime(savedDraft.savedAt, Date.now()), {
            ...savedDraft,
            outcomeUnknown: savedDraft.sentKey !== null,
          })}{" "}
          <button type="button" className="link" onClick={savedDraft.inForm ? startFresh : restore}>
            {savedDraft.inForm ? "Start fresh" : "Restore draft"}
          </button>
        </>
      ) : null}
    </div>
  );
}
