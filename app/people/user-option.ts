/** Name of a signed-in person whose identity has none. Others see the username. */
export const NAMELESS = "You";

/** A user to act for, in the selector and in `GET /api/users`. */
export interface UserOption {
  id: string;
  display_name: string;
  username: string;
  /** Present on the signed-in user, who is shown as "You". */
  isAuthenticatedUser?: true;
  /** Present on the placeholder of a signed-in user who is not stored yet. */
  credits?: number;
}

/** Returns the name that a person sees of a user: their own is "You" if their identity has none. */
export function nameTo(person: { id: string; displayName: string }, user: UserOption): string {
  return user.id === person.id && person.displayName === NAMELESS ? NAMELESS : user.display_name;
}

/** Formats the viewer as "Ana Ruiz (You)", others by name. */
export function formatUserName(user: { displayName: string; isViewer: boolean }): string {
  const { displayName, isViewer } = user;
  return isViewer && displayName !== NAMELESS ? `${displayName} (You)` : displayName;
}

/** Formats "Ana Ruiz (You), ana@example.com". */
export function formatUserOption({ display_name, username, isAuthenticatedUser }: UserOption): string {
  const name = formatUserName({ displayName: display_name, isViewer: isAuthenticatedUser === true });
  return `${name}, ${username}`;
}

/** Sorts users by name, the signed-in one first and marked; a placeholder replaces one who is not stored. */
export function orderUserOptions<Option extends UserOption>(
  stored: readonly Option[],
  person: { id: string; displayName: string; email: string | null } | null,
): (Option | UserOption)[] {
  const byName = new Intl.Collator("en", { numeric: true });
  const sorted = stored.toSorted(
    (a, b) => byName.compare(a.display_name, b.display_name) || byName.compare(a.id, b.id),
  );
  if (!person) return sorted;
  const own = sorted.find((option) => option.id === person.id);
  const placeholder = {
    ...{ id: person.id, display_name: person.displayName, username: person.email ?? "authenticated" },
    credits: 0,
  };
  const viewer = own ?? placeholder;
  return [
    { ...viewer, display_name: nameTo(person, viewer), isAuthenticatedUser: true },
    ...sorted.filter((option) => option !== own),
  ];
}

/** Chooses the remembered user if listed, else the signed-in one, else the first; null in an empty list. */
export function chooseUser(options: readonly UserOption[], rememberedId: string | null): UserOption | null {
  return (
    options.find((option) => option.id === rememberedId) ??
    options.find((option) => option.isAuthenticatedUser) ??
    options[0] ??
    null
  );
}
