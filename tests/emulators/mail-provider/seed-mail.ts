import { DAY_MS, formatSpacedTime } from "./http/dates";
import { LETTER_FORMATS, POSTCARD_FORMATS } from "./http/formats";
import { printAddress } from "./mail-creation";
import type { MailType, PieceStatus } from "./mail-pieces";
import { type PostalAddress, readAddress } from "./postal-address";
import type { SamplePdf } from "./sample-pdf";
import type { Store } from "./store";

const TEMPLATES: readonly (readonly [string, string, string, string])[] = [
  // name, size, pages, tags
  ["Spring offer", "4X6", "2", "offer,spring"],
  ["Welcome aboard", "6X9", "2", "welcome"],
  ["Appointment reminder", "4X6", "2", "reminder"],
  ["Win-back, jumbo", "6X11", "2", "offer"],
  ["Invoice cover letter", "US-LETTER", "1", "billing"],
  ["Annual notice", "US-LETTER", "3", "legal"],
  ["Loyalty card, UK", "A6", "2", "loyalty"],
  ["Letter to members", "A4", "1", "members"],
];

const PIECES: readonly (readonly [MailType, string, string, PieceStatus | null, number, string, string])[] = [
  // type, format, cost, settled status, age in days, recipient, tags
  ["postcard", "4x6", "0.06", "delivered", 40, "0.13", "spring,offer"],
  ["letter", "US-LETTER", "0.14", "delivered", 38, "1001", "billing"],
  ["postcard", "6x9", "0.08", "returned", 33, "1009", "welcome"],
  ["letter", "A4", "0.13", "cancelled", 21, "1002", "members"],
  ["postcard", "4x6", "0.06", "local_delivery", 5, "1007", "spring"],
  ["letter", "US-LETTER", "0.14", "handed_over", 4, "0.13", "billing,first-notice"],
  ["postcard", "A6", "0.05", "producing", 1, "1006", "loyalty"],
  ["postcard", "4x6", "0.06", null, 0, "1001", "reminder"],
];

const FIRST_SEEDED_PIECE_ID = 16_799_901;

/** The starting templates and pieces. */
export function seedMail(store: Store): void {
  const { now, origin, templatePictures } = store.settings;
  const created = formatSpacedTime(now() - 150 * DAY_MS);
  for (const [index, [name, size, pages, tags]] of TEMPLATES.entries()) {
    const id = String(21_001 + index);
    store.templates.set(id, {
      ...{ id, account_id: store.accountId, template_name: name },
      image: templatePictures ? `${origin}/v1/storage/get/template/${id}.svg` : "",
      ...{ created, updated: created, size, page_count: pages, duplex: "1", back_image: "", template: "" },
      ...{ is_public: "0", is_template: "1", version: "1", is_hidden: "0", shared: "0", user_id: "9120" },
      ...{ tags, versions: "1" },
    });
  }
  for (const [index, piece] of PIECES.entries()) {
    const [type, format, cost, settledStatus, ageDays, recipientId, tags] = piece;
    const createdAtMs = now() - ageDays * DAY_MS;
    const id = FIRST_SEEDED_PIECE_ID + index;
    addKnownPiece(store, {
      ...{ id, type, format, cost, settledStatus, createdAtMs, recipientId, tags, design: null },
    });
  }
}

/** A live piece that existed before the start. */
export interface KnownPiece {
  id: number;
  type: MailType;
  format: string;
  /** In the account's currency: `0.99`. */
  cost: string;
  /** Null for one whose status changes with time. */
  settledStatus: PieceStatus | null;
  createdAtMs: number;
  /** ID of a starting recipient; any other one has no address here. */
  recipientId: string;
  tags: string;
  /** The printed content; null when it is no longer known. */
  design: { templateId: string; message: string } | null;
}

export function addKnownPiece(store: Store, known: KnownPiece): void {
  const { design: _, ...piece } = known;
  const isCancelled = known.settledStatus === "cancelled";
  store.pieces.set(piece.id, {
    ...{ ...piece, test: false, idempotencyKey: null, recipient: addressOf(store, known) },
    cancelledAtMs: isCancelled ? piece.createdAtMs + DAY_MS / 24 : null,
    settledStatus: isCancelled ? null : piece.settledStatus,
    pdfUrl: store.publishSample(String(piece.id), describeKnownPiece(store, known)),
  });
}

/** The printed form of such a piece. */
export function describeKnownPiece(store: Store, known: KnownPiece): SamplePdf {
  const { id, type, format, design } = known;
  const { widthPt, heightPt } = LETTER_FORMATS.get(format) ??
    POSTCARD_FORMATS.get(format) ?? { widthPt: 432, heightPt: 288 };
  const print = { widthPt, heightPt, specimen: false };
  if (!design) return { ...print, pages: [{ lines: [`${type} ${id}, ${format}`] }] };
  const { templateId, message } = design;
  const address = printAddress(addressOf(store, known));
  const template = { id: templateId, name: store.requireTemplate(templateId).template_name };
  if (type === "letter") return { ...print, pages: [{ template, lines: address }] };
  return { ...print, pages: [{ template }, { back: { message, signature: null, address } }] };
}

function addressOf(store: Store, { recipientId }: KnownPiece): PostalAddress {
  return readAddress({ ...store.recipients.get(recipientId), id: "" });
}
