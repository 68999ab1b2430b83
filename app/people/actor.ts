/** Joins a person's id and the token of a program that acts for them: `auth-ada via nightly-job`. */
export const VIA = " via ";

/** Joins a person and a token. @param via the token's name; null: the person acted */
export function toActorId(personId: string, via: string | null): string {
  return via === null ? personId : personId + VIA + via;
}

export function personOf(actorId: string): string {
  return actorId.split(VIA)[0] ?? actorId;
}

/** Formats "Ada via nightly-job". @param name of the person; null: not stored, so the id is shown */
export function formatActorName(actorId: string, name: string | null): string {
  return (name ?? personOf(actorId)) + actorId.slice(personOf(actorId).length);
}
