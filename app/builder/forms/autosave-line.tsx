import { TextLink } from "~/ui/links";
import type { AutosaveView, EarlierSend } from "../draft/use-autosave";

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
          {send ? <TextLink to={`/sends/${send.id}`}>View piece</TextLink> : null}
        </p>
      ) : null}
      {savedDraft ? (
        <>
          {formatSavedDraft(savedDraft)}{" "}
          <button type="button" className="link" onClick={savedDraft.inForm ? startFresh : restore}>
            {savedDraft.inForm ? "Start fresh" : "Restore draft"}
          </button>
        </>
      ) : null}
    </div>
  );
}

function formatSavedDraft({
  savedAt,
  inForm,
  live,
  isOutcomeUnknown,
  missing,
}: NonNullable<AutosaveView["savedDraft"]>): string {
  const at = formatSavedTime(savedAt, Date.now());
  return [
    inForm ? `Your draft from ${at} is restored.` : `Your draft from ${at} is set aside.`,
    isOutcomeUnknown ? "It was sent live and the outcome is not known. Check before you send it again." : "",
    inForm && live ? "Test mode is on again." : "",
    missing.length > 0
      ? `Choose ${missing.join(", ")} again: ${missing.length === 1 ? "it was" : "they were"} not saved.`
      : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** @param send null when the server has not received it; @param at when it was sent, as shown */
function formatEarlierSend(kind: string, send: EarlierSend | null, at: string, isOpen: boolean): string {
  const piece = `Your ${send?.type ?? kind}${send?.recipient ? ` to ${send.recipient}` : ""}`;
  if (isOpen) return `${piece} is being checked. Do not send it again.`;
  if (send === null) return `${piece} was not sent. Nothing was charged.`;
  if (send.state === "needs_decision") return `${piece} may have been mailed and needs a decision.`;
  if (send.state === "refused") return `${piece} was not sent: ${send.note ?? "the provider refused it."}`;
  return `${piece} was sent at ${at}.`;
}

/** `16:05`, or `20 Nov, 16:05` for another day; in the browser's time zone. */
function formatSavedTime(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  const time = then.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  if (then.toDateString() === today.toDateString()) return time;
  return `${then.toLocaleDateString("en-GB", { day: "numeric", month: "short" })}, ${time}`;
}
