import type { Viewer } from "~/people/viewer.server";
import type { AddressCheckNote } from "../address-note";
import type { MailCall } from "./mail-call.server";

/** A letter or postcard that is to be sent, live or as a test. */
export interface PieceOrder {
  /** The call that its sender asks for: merge values and a letter's PDF are added when it is sent. */
  call: MailCall;
  payerId: string;
  /** Null: no one will repeat this order. */
  idempotencyKey: string | null;
  /** The tested piece that is to be sent live. */
  testedPieceId: string | null;
  /** The duplicate that the sender knows of; undefined: duplicates are not looked for. */
  knownDuplicate: string | null | undefined;
  addressCheck: AddressCheckNote | null;
  /** The reservation of a list that pays it; null: what the payer has available. */
  creditReservationId: string | null;
  /** Formats the request of the piece's stored response; null: none is stored. */
  formatSaved: (() => Promise<string>) | null;
}

/** An order on its way. */
export interface OpenOrder extends PieceOrder {
  viewer: Viewer;
  /** Details of the saved recipient that fill the piece's text. A tested piece keeps those of its test. */
  recipientDetails: Readonly<Record<string, string>> | null;
  /** A remark for the sender about how the piece was made. */
  notice: string | null;
}
