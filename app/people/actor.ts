/**
 * Who did something, as the books name them: a person's id, and behind it the name of the token where a program did it
 * in their name: `auth-ada via nightly-job`.
 */
export const VIA = " via ";

/** @param via the token's name; null: by hand */
export function toActorId(personId: string, via: string | null): string {
  return via === null ? personId : personId + VIA + via;
}

/** The person's own id. */
export function personOf(actorId: string): string {
  return actorId.split(VIA)[0] ?? actorId;
}

/** "Ada via nightly-job". @param name of the person; null: they are not stored, so the id has to do */
export function formatActorName(actorId: string, name: string | null): string {
  return (name ?? personOf(actorId)) + actorId.slice(personOf(actorId).length);
}
