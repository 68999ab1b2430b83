import { randomUUID } from "node:crypto";
import { MAIL_PRICES } from "~/catalogue/prices";
import type { FrozenCall } from "~/outside/mail-provider/call/client.server";
import { parseAddressee } from "~/recipients/addressee.server";
import { toAddressCheckWord } from "../address-note";
import { sendLeaseMs } from "../lease.server";
import type { MailType } from "../mail-type";
import { hashPiece } from "./duplicates.server";
import { freezeLiveCall, hashCall, type MailCall } from "./mail-call.server";
import type { OpenOrder } from "./piece-order";
import { deriveSendId } from "./send-id.server";
import type { NewSend } from "./send-transitions.server";

/** A live piece on its way to the provider. */
export interface LivePiece {
  id: string;
  mailType: MailType;
  /** The classified path. */
  path: string;
  /** The payer. */
  userId: string;
  /** In credits. */
  cost: number;
  frozen: FrozenCall;
  /** Its row. */
  send: NewSend;
  order: OpenOrder;
}

/** Freezes a piece: derives its id, the bytes of its call and its row from the order and its key. Stores nothing. */
export async function freezePiece(call: MailCall, order: OpenOrder): Promise<LivePiece> {
  const { mailType, path } = call;
  const { viewer, payerId } = order;
  const idempotencyKey = order.idempotencyKey ?? randomUUID();
  const id = deriveSendId(viewer.id, idempotencyKey, 0);
  const frozen = freezeLiveCall(call, id);
  const cost = MAIL_PRICES[mailType];
  const send: NewSend = {
    id,
    userId: payerId,
    actorId: viewer.id,
    via: viewer.token?.name ?? null,
    idempotencyKey,
    reservation: randomUUID(),
    // Hashes the request before merge fields are filled, so that a retry matches.
    requestHash: hashCall(order.call, payerId),
    mailType,
    cost,
    method: frozen.method,
    path,
    url: frozen.url,
    requestHeaders: JSON.stringify(frozen.headers),
    requestBody: frozen.body ?? "",
    testedPieceId: order.testedPieceId,
    // Hashes the caller's request: the PDF of a letter's text adds nothing.
    pieceHash: hashPiece(mailType, order.call.body, order.call.baseUrl),
    leaseMs: sendLeaseMs(),
    addressee: parseAddressee(call.body),
    addressCheck: toAddressCheckWord(order.addressCheck),
    unsavedRequest: order.formatSaved && (await order.formatSaved()),
    creditReservationId: order.creditReservationId,
  };
  return { id, mailType, path, userId: payerId, cost, frozen, send, order };
}

/** Freezes the piece for a key that was freed `freed` times, with an id, tag and provider's key of its own. */
export function freezeAgain(piece: LivePiece, call: MailCall, freed: number): LivePiece {
  const { actorId, idempotencyKey } = piece.send;
  const id = deriveSendId(actorId, idempotencyKey, freed);
  const frozen = freezeLiveCall(call, id);
  return { ...piece, id, frozen, send: { ...piece.send, id, requestBody: frozen.body ?? "" } };
}
