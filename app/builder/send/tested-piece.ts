import type { MailType } from "~/pieces/mail-type";
import { listDifferences } from "~/pieces/tested/tested-changes";
import type { TestedPieceOffer } from "~/pieces/tested/tested-offer.server";
import type { CallTemplate, Draft } from "../draft/draft";
import { applyMode } from "../draft/mode";
import { keepChosenRecipient } from "../draft/recipients";
import { type BuiltRequest, buildRequest, fillPath } from "../draft/request";

/** Choices outside the draft that change the request. */
export interface SendChoices {
  baseUrl: string;
  userId: string | null;
}

/** A piece that was sent as a test. It can be sent live as long as the form still says the same. */
export interface TestedPiece {
  offer: TestedPieceOffer;
  mailType: MailType;
  draft: Draft;
  choices: SendChoices;
  /** Set once it was sent live; pressing the button again would only repeat the first answer. */
  sent: LiveSend | null;
}

interface LiveSend {
  sendId: string;
  /** Credits; null while the outcome is not known. */
  charged: number | null;
}

/** Lists the parts of the form that were changed since the test, by name. Empty: the tested piece can be sent live. */
export function listChanges(tested: TestedPiece, draft: Draft, choices: SendChoices): string[] {
  if ((tested.draft.body === null) !== (draft.body === null)) return ["body"];
  return listDifferences(listParts(tested.draft, tested.choices), listParts(draft, choices));
}

function listParts(draft: Draft, { baseUrl, userId }: SendChoices): Map<string, unknown> {
  const parts = new Map<string, unknown>([
    ["current user", userId],
    ["base URL", baseUrl],
    ["method", draft.method],
    ["path", fillPath(draft)],
    ["query parameters", draft.query],
    ["headers", draft.headers],
    ["body", draft.body],
  ]);
  if (draft.body !== null) return parts;
  for (const [name, value] of Object.entries(keepChosenRecipient(draft.values))) {
    if (name !== "test" && value.trim() !== "") parts.set(name.replaceAll("_", " "), value);
  }
  return parts;
}

/** Turns test mode off and changes nothing else. */
export function turnLive(draft: Draft, template: CallTemplate): Draft {
  return applyMode(draft, template, true);
}

/** Builds the live request for a tested draft. `test` is also removed from a body that was edited by hand. */
export function buildTestedRequest(draft: Draft, template: CallTemplate): BuiltRequest {
  const request = buildRequest(turnLive(draft, template), template);
  const { body } = request;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return request;
  return { ...request, body: Object.fromEntries(Object.entries(body).filter(([name]) => name !== "test")) };
}
