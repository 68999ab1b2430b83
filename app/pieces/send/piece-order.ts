import type { Viewer } from "~/people/viewer.server";
import type { AddressCheckNote } from "../address-note";
import type { MailCall } from "./mail-call.server";

/** A letter or postcard that is to be sent, live or as a test. */
export interface PieceOrder {
  /** The caller's request; merge values and a letter's PDF are added when it is sent. */
  call: MailCall;
  payerId: string;
  /** Null when the order will not be repeated. */
  idempotencyKey: string | null;
  /** The tested piece that is to be sent live. */
  testedPieceId: string | null;
  /** The duplicate that the sender knows; undefined to skip the check. */
  knownDuplicate: string | null | undefined;
  addressCheck: AddressCheckNote | null;
  /** The reservation of the list that pays; null to use what the payer has available. */
  creditReservationId: string | null;
  /** Formats the request of the piece's stored response; null to store none. */
  formatSaved: (() => Promise<string>) | null;
}

/** An order while it is being sent. */
export interface OpenOrder extends PieceOrder {
  viewer: Viewer;
  /** Details of the saved recipient that fill the piece's text. A tested piece keeps those of its test. */
  recipientDetails: Readonly<Record<string, string>> | null;
  /** A notice for the sender. */
  notice: string | null;
}
