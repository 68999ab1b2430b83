/** A person the identity emulator can log in. */
export interface IdentityUser {
  subject: string;
  /** Name on the login page; `claims` is the data that the provider returns about them. */
  label: string;
  /** A note on their button about something unusual. */
  note?: string;
  claims: {
    name?: string;
    email?: string;
    email_verified?: boolean;
    picture?: string;
    groups?: string[];
  };
  /** The provider answers `access_denied` instead of logging them in. */
  declines?: true;
}

export const DEFAULT_USERS: readonly IdentityUser[] = [
  createPerson("ana", "Ana Ruiz", "ana@example.com", "#1d4f91"),
  createPerson("benedikt", "Benedikt Amann", "benedikt@example.com", "#1f7a4a"),
  createPerson("zoe", "Zoë Müller", "zoe@example.org", "#9a6400", ["print-shop", "everyone"]),
  {
    subject: "nils",
    label: "Nils Okafor",
    note: "e-mail not verified",
    claims: { name: "Nils Okafor", email: "nils@example.com", email_verified: false },
  },
  { subject: "guest-7", label: "Guest", note: "no name, no e-mail", claims: {} },
  {
    subject: "priya",
    label: "Priya Raman",
    note: "declines access",
    claims: { name: "Priya Raman", email: "priya@example.com", email_verified: true },
    declines: true,
  },
];

function createPerson(
  subject: string,
  name: string,
  email: string,
  colour: string,
  groups: string[] = [],
): IdentityUser {
  const picture = drawPortrait(name.slice(0, 1), colour);
  return { subject, label: name, claims: { name, email, email_verified: true, picture, groups } };
}

function drawPortrait(initial: string, colour: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="${colour}"/><text x="32" y="43" font-family="sans-serif" font-size="32" text-anchor="middle" fill="#fff">${initial}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
