/** What is said of a draft that this browser saved. */

/** The live send that was under way when the page was left, as the API describes its piece. */
export interface EarlierSend {
  type: "postcard" | "letter";
  state: string;
  recipient: string | null;
  created_at: string;
  note: string | null;
  id: string;
}

/** @param send null when the server has not received it; @param at when it was sent, as shown */
export function formatEarlierSend(
  kind: string,
  send: EarlierSend | null,
  at: string,
  isOpen: boolean,
): string {
  const piece = `Your ${send?.type ?? kind}${send?.recipient ? ` to ${send.recipient}` : ""}`;
  if (isOpen) return `${piece} is being checked. Do not send it again.`;
  if (send === null) return `${piece} was not sent. Nothing was charged.`;
  if (send.state === "needs_decision") return `${piece} may have been mailed and needs a decision.`;
  if (send.state === "refused") return `${piece} was not sent: ${send.note ?? "the provider refused it."}`;
  return `${piece} was sent at ${at}.`;
}

/** @param at when the draft was saved, as shown */
export function formatSavedDraft(
  at: string,
  saved: { inForm: boolean; live: boolean; outcomeUnknown: boolean; missing: readonly string[] },
): string {
  const { inForm, live, outcomeUnknown, missing } = saved;
  return [
    inForm ? `Your draft from ${at} is restored.` : `Your draft from ${at} is set aside.`,
    outcomeUnknown ? "It was sent live and the outcome is not known. Check before you send it again." : "",
    inForm && live ? "Test mode is on again." : "",
    missing.length > 0
      ? `Choose ${missing.join(", ")} again: ${missing.length === 1 ? "it was" : "they were"} not saved.`
      : "",
  ]
    .filter(Boolean)
    .join(" ");
}
