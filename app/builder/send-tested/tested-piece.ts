import type { MailType } from "~/pieces/mail-type";
import type { TestedPieceOffer } from "~/sending/proxy-types";
import { listDifferences } from "~/sending/tested/tested-changes";
import type { CallTemplate, Draft } from "../draft";
import { applyMode } from "../mode/mode";
import { type BuiltRequest, buildRequest, fillPath } from "../request/request";

/** What a test was made of, beside its draft. */
interface Around {
  baseUrl: string;
  userId: string | null;
}

/** A test that can be promoted while the form says what it said then. */
export interface TestedPiece {
  offer: TestedPieceOffer;
  mailType: MailType;
  draft: Draft;
  around: Around;
  /** The live piece that it became; pressing again would only show that one. */
  sendId: string | null;
}

/** What of the form is not as it was proved, by the names of the parts. Empty: it may be promoted. */
export function listChanges(held: TestedPiece, draft: Draft, around: Around): string[] {
  if ((held.draft.body === null) !== (draft.body === null)) return ["body"];
  return listDifferences(listParts(held.draft, held.around), listParts(draft, around));
}

function listParts(draft: Draft, { baseUrl, userId }: Around): Map<string, unknown> {
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
  for (const [name, value] of Object.entries(draft.values)) {
    if (name !== "test" && value.trim() !== "") parts.set(name.replaceAll("_", " "), value);
  }
  return parts;
}

/** The draft as a promotion sends it: live, and nothing else. */
export function turnLive(draft: Draft, template: CallTemplate): Draft {
  return applyMode(draft, template, true);
}

/** The request of a promotion: what was proved, with test off, also where the body was typed by hand. */
export function buildTestedRequest(draft: Draft, template: CallTemplate): BuiltRequest {
  const request = buildRequest(turnLive(draft, template), template);
  const { body } = request;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return request;
  return { ...request, body: Object.fromEntries(Object.entries(body).filter(([name]) => name !== "test")) };
}
