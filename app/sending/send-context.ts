import type { MailType } from "~/pieces/mail-type";
import type { SavedCall } from "~/responses/save/auto-save.server";
import type { AddressCheckNote } from "./address-note";

/** What live mail is ordered by whom. */
export interface MailOrder {
  mailType: MailType;
  /** As classified. */
  path: string;
  /** Who pays. */
  payerId: string;
  /** Null: nobody will ask for this send again. */
  idempotencyKey: string | null;
  /** What the sender knew of the address. */
  addressCheck: AddressCheckNote | null;
  /** Of what it says and whom it goes to; null: nobody is named. */
  pieceHash: string | null;
  /** The earlier send of the same piece that the sender knows of; undefined: they may all be repeated. */
  knownDuplicate: string | null | undefined;
  /** The tested piece that this sends live. */
  testedPieceId: string | null;
  /** What the sender should know of how it was made. */
  notice: string | null;
  /** What its stored response is made of; null: none is wanted. */
  asked: SavedCall | null;
}
