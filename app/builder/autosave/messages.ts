/** What is said of a draft that this browser saved. */

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
