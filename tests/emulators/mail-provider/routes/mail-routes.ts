import { readText } from "../http/fields";
import { Refusal, type Reply, requireFields, succeed } from "../http/reply";
import { createLetter, createPostcard, postLetter } from "../mail-creation";
import { cancelPiece, describePiece, type MailType } from "../mail-pieces";
import type { Store } from "../store";
import type { Call, Route } from "./router";

/** postcards/* and letters/* as documented. */
export const MAIL_ROUTES: readonly Route[] = [
  { method: "POST", path: "postcards/create", answer: (call) => createPostcard(call) },
  { method: "POST", path: "letters/create", answer: createLetter },
  { method: "POST", path: "letters/post", answer: postLetter },
  { method: "GET", path: "postcards/get/:id?", answer: (call) => getPiece(call, "postcard") },
  { method: "GET", path: "letters/get/:id?", answer: (call) => getPiece(call, "letter") },
  { method: "POST", path: "postcards/cancel", answer: (call) => cancelNamedPiece(call, "postcard") },
  { method: "POST", path: "letters/cancel", answer: (call) => cancelNamedPiece(call, "letter") },
];

function getPiece(call: Call, type: MailType): Reply {
  const { store } = call;
  const piece = store.requirePiece(requirePathId(call), type);
  return succeed(describePiece(piece, store.settings, store.accountId));
}

function cancelNamedPiece({ store, fields }: Call, type: MailType): Reply {
  requireFields(fields, "id");
  return cancelById(store, readText(fields, "id"), type);
}

/** Cancels and gives the cost back to the balance. @throws Refusal 404, or 400 when it is too late */
export function cancelById(store: Store, id: string, type: MailType | null): Reply {
  const piece = store.requirePiece(id, type);
  cancelPiece(piece, store.settings);
  store.charge(piece.cost, -1);
  store.onChange(piece);
  return succeed(1);
}

/** The id in the path; `?id=` is not read. @throws Refusal with the provider's text */
export function requirePathId(call: Call): string {
  const { id = "" } = call.params;
  if (id === "") throw new Refusal(400, "Missing resource ID");
  return id;
}
