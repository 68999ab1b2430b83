import { randomUUID } from "node:crypto";
import { MAIL_PRICES } from "~/catalogue/prices";
import type { FrozenCall } from "~/outside/mail-provider/call/client.server";
import type { Viewer } from "~/people/viewer.server";
import { parseAddressee } from "~/recipients/addressee.server";
import { type AddressCheckNote, toAddressCheckWord } from "../address-note";
import { sendLeaseMs } from "../lease.server";
import { freezeLiveCall, hashCall, hashPiece, type MailCall } from "./mail-call.server";
import { deriveSendId } from "./send-record.server";

/** A letter or postcard that is to be sent, live or as a test. */
export interface PieceOrder {
  /** The caller's request; merge values and a letter's PDF are added when it is sent. */
  call: MailCall;
  payerId: string;
  /** Null when the order will not be repeated. */
  idempotencyKey: string | null;
  testedPieceId: string | null;
  /** The duplicate that the sender knows, null for none; undefined to skip the check. */
  knownDuplicate: string | null | undefined;
  addressCheck: AddressCheckNote | null;
  /** The reservation of the list that pays; null to use what the payer has available. */
  creditReservationId: string | null;
  /** Formats the request of the piece's stored response; null to store none. */
  formatSaved: (() => Promise<string>) | null;
}

export interface OpenOrder extends PieceOrder {
  viewer: Viewer;
  /** Details of the saved recipient that fill the piece's text. A tested piece keeps those of its test. */
  recipientDetails: Readonly<Record<string, string>> | null;
  notice: string | null;
}

/** A live piece on its way to the provider. */
export type LivePiece = Awaited<ReturnType<typeof freezePiece>>;
export type NewSend = LivePiece["send"];
/** A piece that was mailed without a hold. */
export type UnexpectedSend = ReturnType<typeof describeSend> &
  Pick<NewSend, "id" | "userId" | "idempotencyKey">;

/** Freezes a piece: derives its id, the bytes of its call and its row from the order and its key. Stores nothing. */
export async function freezePiece(call: MailCall, order: OpenOrder) {
  const idempotencyKey = order.idempotencyKey ?? randomUUID();
  const id = deriveSendId(order.viewer.id, idempotencyKey, 0);
  const frozen = freezeLiveCall(call, id);
  const send = {
    ...describeSend(order, frozen, call.body),
    id,
    userId: order.payerId,
    idempotencyKey,
    /** Tells this row from one that was rewritten under the same id. */
    reservation: randomUUID() as string,
    testedPieceId: order.testedPieceId,
    leaseMs: sendLeaseMs(),
    addressCheck: toAddressCheckWord(order.addressCheck),
    /** The request of its stored response, which is written once it is settled; null for none. */
    unsavedRequest: order.formatSaved && (await order.formatSaved()),
    /** The reservation that pays; null to use what is available. */
    creditReservationId: order.creditReservationId,
  };
  return { send, frozen, order };
}

/** Describes the call of an order for its row in `sends`. @param body as it is sent */
export function describeSend({ call, viewer, payerId }: OpenOrder, frozen: FrozenCall, body: unknown) {
  return {
    actorId: viewer.id,
    via: viewer.token?.name ?? null,
    // Hashes the request before merge fields are filled, so that a retry matches.
    requestHash: hashCall(call, payerId),
    mailType: call.mailType,
    cost: MAIL_PRICES[call.mailType] as number,
    method: frozen.method,
    path: call.path,
    url: frozen.url,
    requestHeaders: JSON.stringify(frozen.headers),
    requestBody: frozen.body ?? "",
    addressee: parseAddressee(body),
    /** Identifies equal pieces by the caller's request, to which the PDF of a letter's text adds nothing. */
    pieceHash: hashPiece(call.mailType, call.body, call.baseUrl),
  };
}

/** Freezes the piece for a key that was freed `freed` times, with an id, tag and provider's key of its own. */
export function freezeAgain(piece: LivePiece, call: MailCall, freed: number): LivePiece {
  const { actorId, idempotencyKey } = piece.send;
  const id = deriveSendId(actorId, idempotencyKey, freed);
  const frozen = freezeLiveCall(call, id);
  return { ...piece, frozen, send: { ...piece.send, id, requestBody: frozen.body ?? "" } };
}
