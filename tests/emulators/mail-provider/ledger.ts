import type { MailType, PieceStatus } from "./mail-pieces";
import type { PostalAddress } from "./postal-address";
import type { Store } from "./store";

/** One mail piece (or test) that was accepted through the API. */
export interface AcceptedPiece {
  /** The account it is in. */
  accountId: string;
  /** 0 for a test. */
  id: number;
  type: MailType;
  test: boolean;
  status: PieceStatus;
  tags: string;
  idempotencyKey: string | null;
  recipientId: string;
  recipient: PostalAddress;
}

/** What was accepted since the start, in order; the starting pieces are not among it. */
export function describeAcceptedPieces(store: Store): AcceptedPiece[] {
  return store.accepted.map((piece) => {
    const { id, type, test, tags, idempotencyKey, recipientId, recipient } = piece;
    const { accountId } = store;
    return {
      accountId,
      id,
      type,
      test,
      status: store.statusOf(piece),
      tags,
      idempotencyKey,
      recipientId,
      recipient,
    };
  });
}
