import { logAddress } from "~/api-log/api-log-view";
import type { FoundCall } from "~/api-log/load-log.server";
import type { FoundEntry, FoundPurchase } from "~/credits/find-credits.server";
import { formatCredits } from "~/credits/format-credits";
import { formatChange, ledgerAddress, purchaseAddress } from "~/credits/ledger/transaction";
import { formatPrice } from "~/credits/purchases/format-money";
import { mailAddress } from "~/mail/piece-filter";
import type { FoundUser } from "~/people/stored-user.server";
import type { FoundPiece } from "~/pieces/find-pieces.server";
import { findShownStatus } from "~/pieces/status";
import type { FoundRecipient } from "~/recipients/list-recipients.server";
import type { FoundResponse } from "~/responses/search/find-by-words.server";
import { formatMoment } from "~/ui/moment";
import type { Hit } from "./found";

export function toPieceHit(piece: FoundPiece, now: Date): Hit {
  const { id, userId, type, test, addressee, place, status, state } = piece;
  const name = test ? `Test ${type}` : type === "letter" ? "Letter" : "Postcard";
  return {
    title: addressee === null ? name : `${name} to ${addressee}`,
    detail: join(place, formatMoment(piece.createdAt, now).absolute),
    // A test has no page of its own.
    to: test ? mailAddress({ user_id: userId, type, tests: "1" }) : `/sends/${id}`,
    status: state === null ? undefined : findShownStatus(state, status),
  };
}

export function toRecipientHit(recipient: FoundRecipient): Hit {
  const { id, userId, name, place, email, recipientId, userName } = recipient;
  const number = recipientId === null ? null : `recipient ${recipientId}`;
  return {
    title: name,
    detail: join(place, email, number, `of ${userName}`),
    // With tests, which exist before the first live piece.
    to: mailAddress({ user_id: userId, recipient: id, tests: "1" }),
  };
}

export function toUserHit({ id, displayName, username }: FoundUser): Hit {
  return {
    title: displayName,
    detail: username,
    to: `/users?${new URLSearchParams({ view: "history", user_id: id })}`,
  };
}

export function toPurchaseHit(purchase: FoundPurchase, now: Date): Hit {
  const { id, userName, credits, state, createdAt } = purchase;
  return {
    title: `${formatCredits(credits)} for ${userName}`,
    detail: join(formatPrice(purchase), state, formatMoment(createdAt, now).absolute),
    to: purchaseAddress(id),
  };
}

export function toEntryHit(entry: FoundEntry, now: Date): Hit {
  const { id, userName, type, description, actor, createdAt } = entry;
  return {
    title: `#${id}: ${formatChange(entry)} for ${userName}, ${type}`,
    detail: join(description, `by ${actor}`, formatMoment(createdAt, now).absolute),
    to: ledgerAddress(id),
  };
}

export function toResponseHit(response: FoundResponse, now: Date): Hit {
  const { id, method, path, statusCode, userName, createdAt } = response;
  return {
    title: `${method} ${path}`,
    detail: join(
      statusCode === null ? "no answer" : String(statusCode),
      userName,
      formatMoment(createdAt, now).absolute,
    ),
    to: `/stored/${id}`,
  };
}

export function toCallHit({ requestId, at, method, path, status, reason }: FoundCall, now: Date): Hit {
  return {
    title: `${method} ${path}`,
    detail: join(String(status), reason, formatMoment(at, now).absolute),
    to: logAddress({ id: requestId }),
  };
}

function join(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== "").join(" · ");
}
