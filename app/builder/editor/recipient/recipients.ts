/** A recipient of the loaded list. */
export interface ListedRecipient {
  /** Any other detail that the provider gives, for placeholders. */
  [detail: string]: string;
  id: string;
  firstname: string;
  lastname: string;
  company: string;
  address1: string;
  city: string;
  state: string;
  postcode: string;
  country: string;
}

export type LoadedRecipients =
  | { state: "loaded"; recipients: ListedRecipient[] }
  | { state: "failed"; reason: string };

/** "Jane Smith", the company of whom has no name, else the ID. */
export function formatPerson({ firstname, lastname, company, id }: ListedRecipient): string {
  return [firstname, lastname].filter(Boolean).join(" ") || company || `ID ${id}`;
}

/** "Jane Smith, Harbour Books, Portland" */
export function formatRecipient(recipient: ListedRecipient): string {
  const name = [recipient.firstname, recipient.lastname].filter(Boolean).join(" ");
  return [name, recipient.company, recipient.city].filter(Boolean).join(", ");
}

/** "Jane Smith, Harbour Books, Portland, 14 Mill Lane, 97205, ID 1002": tells two people of one name apart. */
export function formatRecipientRow(recipient: ListedRecipient): string {
  const { address1, postcode, id } = recipient;
  return [formatRecipient(recipient), address1, postcode, `ID ${id}`].filter(Boolean).join(", ");
}

/** True when a text can be a recipient's ID. Anything else that is typed is a name to look up. */
export function isRecipientId(text: string): boolean {
  return /^\d+$/.test(text.trim());
}

/** Recipients that have every word in name, company, city, postcode or ID; accents and case are ignored. */
export function searchRecipients(words: string, listed: readonly ListedRecipient[]): ListedRecipient[] {
  const wanted = fold(words)
    .split(/[\s,]+/)
    .filter(Boolean);
  return listed.filter((recipient) => {
    const { firstname, lastname, company, city, postcode, id } = recipient;
    const text = fold([firstname, lastname, company, city, postcode, id].join(" "));
    return wanted.every((word) => text.includes(word));
  });
}

/** Recipients of exactly this name, alone or with company and city as the list shows it. */
export function findByName(name: string, listed: readonly ListedRecipient[]): ListedRecipient[] {
  const wanted = fold(name);
  if (wanted === "") return [];
  return listed.filter((recipient) => {
    const person = `${recipient.firstname} ${recipient.lastname}`;
    const names = [person, recipient.company, formatRecipient(recipient), formatRecipientRow(recipient)];
    return names.some((known) => fold(known) === wanted);
  });
}

/** The ID of the one recipient that was typed by name; else the text as it is. */
export function resolveRecipient(text: string, listed: readonly ListedRecipient[]): string {
  if (isRecipientId(text)) return text;
  const [only, ...others] = findByName(text, listed);
  return only && others.length === 0 ? only.id : text;
}

/** Letters without accents and case, single spaces. */
function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();
}
