import type { FoundEntry, FoundPurchase } from "~/credits/find-credits.server";
import { formatChange } from "~/credits/ledger/transaction";
import { mailAddress } from "~/mail/mail-view";
import type { FoundUser } from "~/people/find-users.server";
import type { FoundPiece } from "~/pieces/find-pieces.server";
import { findShownStatus } from "~/pieces/shown-status";
import type { FoundRecipient } from "~/recipients/find-recipients.server";
import type { FoundResponse } from "~/responses/search/find-by-words.server";
import { formatMoment } from "~/ui/moment";
import type { Hit } from "./found";

/** What the rooms found, as one list shows it. */

export function toPieceHit(piece: FoundPiece, now: Date): Hit {
  const { id, userId, type, test, addressee, place, status, state } = piece;
  const name = test ? `Test ${type}` : type === "letter" ? "Letter" : "Postcard";
  return {
    kind: "piece",
    title: addressee === null ? name : `${name} to ${addressee}`,
    detail: join(place, formatMoment(piece.createdAt, now).absolute),
    // A test has no page of its own.
    to: test ? mailAddress({ user_id: userId, type, tests: "1" }) : `/sends/${id}`,
    status: state === null ? null : findShownStatus(state, status),
  };
}

export function toRecipientHit({ id, name, email, recipientId, userName }: FoundRecipient): Hit {
  const number = recipientId === null ? null : `recipient ${recipientId}`;
  return {
    kind: "recipient",
    title: name,
    detail: join(email, number, `of ${userName}`),
    to: `/recipients/${id}`,
    status: null,
  };
}

export function toUserHit({ id, displayName, username }: FoundUser): Hit {
  return { kind: "user", title: displayName, detail: username, to: historyAddress(id), status: null };
}

export function toPurchaseHit(purchase: FoundPurchase, now: Date): Hit {
  const { userId, userName, credits, amountCents, state, createdAt } = purchase;
  return {
    kind: "purchase",
    title: `${credits} credits for ${userName}`,
    detail: join(`$${(amountCents / 100).toFixed(2)}`, state, formatMoment(createdAt, now).absolute),
    to: historyAddress(userId),
    status: null,
  };
}

export function toEntryHit(entry: FoundEntry, now: Date): Hit {
  const { id, userId, userName, type, description, actor, createdAt } = entry;
  return {
    kind: "ledger row",
    title: `#${id}: ${formatChange(entry)} for ${userName}, ${type}`,
    detail: join(description, `by ${actor}`, formatMoment(createdAt, now).absolute),
    to: historyAddress(userId, id),
    status: null,
  };
}

export function toResponseHit(response: FoundResponse, now: Date): Hit {
  const { id, method, path, statusCode, userName, createdAt } = response;
  return {
    kind: "response",
    title: `${method} ${path}`,
    detail: join(
      statusCode === null ? "no answer" : String(statusCode),
      userName,
      formatMoment(createdAt, now).absolute,
    ),
    to: `/stored/${id}`,
    status: null,
  };
}

/** The ledger of a user; with a row, it is the first one. */
function historyAddress(userId: string, row?: number): string {
  const query = new URLSearchParams({ view: "history", user_id: userId });
  if (row !== undefined) query.set("cursor", String(row + 1));
  return `/users?${query}`;
}

function join(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== "").join(" · ");
}
