/** Messages about {placeholders} in a text. */

export const LISTED_NAMES = 20;

/** "{firstname}, {city}", and how many more where there are many. */
export function formatVariables(names: readonly string[]): string {
  const listed = names
    .slice(0, LISTED_NAMES)
    .map((name) => `{${name}}`)
    .join(", ");
  return names.length > LISTED_NAMES ? `${listed} and ${names.length - LISTED_NAMES} more` : listed;
}

export function formatNoValue(names: readonly string[]): string {
  return names.length === 1
    ? `${formatVariables(names)} has no value. Give it one or remove it to send.`
    : `${formatVariables(names)} have no value. Give them one or remove them to send.`;
}
