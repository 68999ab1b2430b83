import type { MailType } from "~/pieces/mail-type";
import { type CallTemplate, type Draft, findMailKind } from "../draft/draft";
import { keepChosenRecipient, type ListedRecipient } from "../draft/recipients";
import { buildBody } from "../draft/request";

/** The facts by which a sender recognises a piece. */
interface Piece {
  mailType: MailType;
  /** Size of a postcard; "" when it is not known. */
  size: string;
  /** Pages of a letter's PDF; null when they are not known. */
  pages: number | null;
  /** "" when there is none. */
  recipientId: string;
  /** Details of a new recipient. */
  recipient: Addressee;
}

type Addressee = Partial<Record<"firstname" | "lastname" | "company" | "city", string>>;

const PARTS = ["firstname", "lastname", "company", "city"] as const;
const MAX_NAME_CHARS = 24;

/** "postcard 4x6 to J. Smith, Leeds", "letter, 2 pages, to recipient 1941"; `listed` are the loaded recipients. */
export function formatPiece(
  mailType: MailType,
  draft: Draft,
  template: CallTemplate,
  listed: readonly ListedRecipient[],
): string {
  const piece = parsePiece(mailType, draft, template);
  const name =
    mailType === "postcard"
      ? `postcard ${piece.size}`.trim()
      : piece.pages === null
        ? "letter"
        : `letter, ${piece.pages} ${piece.pages === 1 ? "page" : "pages"},`;
  const addressee = formatAddressee(piece, listed);
  return addressee === "" ? name.replace(/,$/, "") : `${name} to ${addressee}`;
}

function formatAddressee({ recipient, recipientId }: Piece, listed: readonly ListedRecipient[]): string {
  const typed = formatShortName(recipient);
  if (typed !== "") return typed;
  if (recipientId === "") return "";
  const known = listed.find(({ id }) => id === recipientId);
  return (known && formatShortName(known)) || `recipient ${shorten(recipientId)}`;
}

/** "J. Smith, Leeds" */
function formatShortName({ firstname = "", lastname = "", company = "", city = "" }: Addressee): string {
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

function parsePiece(mailType: MailType, draft: Draft, template: CallTemplate): Piece {
  const byForm = draft.body === null && findMailKind(template) !== null;
  const body = byForm ? {} : (buildBody(draft, template) ?? {});
  const fields: Record<string, unknown> = typeof body === "object" && body !== null ? { ...body } : {};
  const { recipient } = fields;
  const details = typeof recipient === "object" && recipient !== null ? { ...recipient } : {};
  const values = keepChosenRecipient(draft.values);
  const getField = (name: string) => toText(byForm ? values[name] : fields[name]);
  const getPart = (part: string) =>
    byForm
      ? getField(`recipient_${part}`)
      : toText((details as Record<string, unknown>)[part] ?? fields[`recipient[${part}]`]);
  const { facts } = draft.files.file ?? {};
  return {
    mailType,
    size: getField("size"),
    pages: byForm && mailType === "letter" && facts?.kind === "pdf" && facts.pages ? facts.pages : null,
    recipientId: getField("recipient"),
    recipient: Object.fromEntries(PARTS.map((part) => [part, getPart(part)])),
  };
}

function toText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}
