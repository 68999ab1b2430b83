import { capitalise } from "./messages";

/**
 * "Postcard 4x6 to recipient 1001", as far as the request says so.
 * @param known what is known of a recipient whom it names by an ID: "Ana Lopez, Austin"
 */
export function formatTitle(
  mailType: string,
  fields: Record<string, unknown>,
  known: string | null = null,
): string {
  const size = mailType === "postcard" && typeof fields.size === "string" ? ` ${fields.size}` : "";
  return `${capitalise(mailType)}${size}${formatRecipient(fields, known)}`;
}

function formatRecipient(fields: Record<string, unknown>, known: string | null): string {
  const { recipient } = fields;
  if (typeof recipient === "string" || typeof recipient === "number") {
    return ` to ${known ?? `recipient ${recipient}`}`;
  }
  const part = (name: string) =>
    String((recipient as Record<string, unknown> | undefined)?.[name] ?? fields[`recipient[${name}]`] ?? "");
  const name = [part("firstname"), part("lastname")].filter(Boolean).join(" ") || part("company");
  const place = part("city");
  if (name === "") return "";
  return ` to ${name}${place === "" ? "" : `, ${place}`}`;
}
