import type { Viewer } from "~/people/viewer.server";
import type { AddressCheckNote } from "./address-note";
import type { PreparedCall } from "./prepare-call.server";
import type { AnswerToSave } from "./save-answer.server";

/** The facts that a call needs from the caller's request to its answer. */
export interface SendContext {
  /** The tested piece that is to be sent live. */
  testedPieceId: string | null;
  /** The duplicate that the sender knows of; undefined: duplicates are not looked for. */
  knownDuplicate: string | null | undefined;
  addressCheck: AddressCheckNote | null;
  /** The call before merge values were filled in and a letter's text became a PDF. */
  prepared: PreparedCall;
  /** Details of the saved recipient that fill the piece's text. A tested piece keeps those of its test. */
  recipientDetails: Readonly<Record<string, string>> | null;
  viewer: Viewer;
  payerId: string;
  /** The caller's, or that of a tested piece; null when no one will ask for this send again. */
  idempotencyKey: string | null;
  /** The reservation of a list that pays it; null: what the payer has available. */
  creditReservationId: string | null;
  /** A remark for the sender about how the piece was made. */
  notice: string | null;
  /** How the answer is saved; null when it is not. */
  saving: AnswerToSave | null;
  /** The caller's disconnect. */
  signal: AbortSignal | null;
}
