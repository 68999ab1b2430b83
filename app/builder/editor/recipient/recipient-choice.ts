/** Form values by field name. */
type Values = Readonly<Record<string, string>>;

/** A saved recipient by its ID, or a new one by its details. */
export type RecipientChoice = "saved" | "new";

/** The form value of the switch between the two. It is not sent. */
export const RECIPIENT_CHOICE = "send_to";

/** The chosen half of the switch; without a choice it is the new recipient as soon as any of its details is filled in. */
export function findRecipientChoice(values: Values): RecipientChoice {
  const chosen = values[RECIPIENT_CHOICE];
  if (chosen === "saved" || chosen === "new") return chosen;
  return Object.keys(values).some((name) => isDetail(name) && values[name]?.trim()) ? "new" : "saved";
}

/** The values without the recipient that is not chosen: its fields are hidden and must not be sent. */
export function keepChosenRecipient<Kept extends Values>(values: Kept): Kept {
  const saved = findRecipientChoice(values) === "saved";
  const kept = Object.entries(values).filter(
    ([name]) => name !== RECIPIENT_CHOICE && !(saved ? isDetail(name) : name === "recipient"),
  );
  return Object.fromEntries(kept) as Kept;
}

function isDetail(name: string): boolean {
  return name.startsWith("recipient_");
}
