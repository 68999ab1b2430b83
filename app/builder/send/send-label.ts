import { parseDetails, parseInlineRecipient } from "~/outside/mail-provider/recipient-fields";
import type { MailType } from "~/pieces/mail-type";
import { formatCount } from "~/platform/format-integer";
import { parseRecord } from "~/platform/json-value";
import type { CallTemplate, Draft } from "../draft/draft";
import type { ListedRecipient } from "../draft/recipients";
import { buildBody, hasInvalidBody } from "../draft/request";

const MAX_NAME_CHARS = 24;

/** "postcard 4x6 to J. Smith, Leeds", "letter, 2 pages, to recipient 1941"; `listed` are the loaded recipients. */
export function formatPiece(
  mailType: MailType,
  draft: Draft,
  template: CallTemplate,
  listed: readonly ListedRecipient[],
): string {
  const fields = hasInvalidBody(draft) ? {} : parseRecord(buildBody(draft, template, true));
  const facts = draft.body === null ? draft.files.file?.facts : undefined;
  const pages = mailType === "letter" && facts?.kind === "pdf" ? facts.pages : undefined;
  const name =
    mailType === "postcard"
      ? `postcard ${fields.size ?? ""}`.trim()
      : pages === undefined
        ? "letter"
        : `letter, ${formatCount(pages, "page")}`;
  const addressee = formatAddressee(fields, listed);
  return addressee === "" ? name : `${name}${pages === undefined ? "" : ","} to ${addressee}`;
}

function formatAddressee(fields: Record<string, unknown>, listed: readonly ListedRecipient[]): string {
  const typed = formatShortName(parseDetails(parseInlineRecipient(fields)));
  const id = typeof fields.recipient === "object" ? "" : String(fields.recipient ?? "").trim();
  if (typed !== "" || id === "") return typed;
  const known = listed.find((recipient) => recipient.id === id);
  return (known && formatShortName({ ...known })) || `recipient ${shorten(id)}`;
}

/** "J. Smith, Leeds" */
function formatShortName(details: Record<string, string>): string {
  const { firstname = "", lastname = "", company = "", city = "" } = details;
  const initial = [...firstname][0];
  const person = initial && lastname ? `${initial}. ${lastname}` : lastname || firstname;
  const name = shorten(person || company);
  return name !== "" && city !== "" ? `${name}, ${shorten(city)}` : name;
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_NAME_CHARS
    ? text
    : `${characters
        .slice(0, MAX_NAME_CHARS - 1)
        .join("")
        .trimEnd()}…`;
}
