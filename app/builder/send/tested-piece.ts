import { useRef, useState } from "react";
import type { MailType } from "~/pieces/mail-type";
import { listDifferences } from "~/pieces/tested/tested-changes";
import type { TestedPieceOffer } from "~/pieces/tested/tested-piece.server";
import type { Draft } from "../draft/draft";
import { findMailType } from "../draft/mode";
import { keepChosenRecipient } from "../draft/recipients";
import { fillPath } from "../draft/request";
import { type Answer, isRefused } from "./answer";

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
  sent: {
    sendId: string;
    /** Credits; null while the outcome is not known. */
    charged: number | null;
  } | null;
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

/** The last test that can be sent live. It begins with the page's first answer. */
export function useTestedPiece(
  opened: { answer: Answer | null; tested: TestedPieceOffer | null; initialDraft: Draft | null },
  choices: SendChoices,
) {
  const [piece, setPiece] = useState(() =>
    toTestedPiece(opened.answer?.response?.tested_piece ?? opened.tested, opened.initialDraft, choices),
  );
  // An answer that arrives after another preset was opened is ignored.
  const round = useRef(0);
  return {
    piece,
    /** Call it before sending `draft`. The function it returns takes the tested piece from the answer. */
    begin: (draft: Draft) => {
      const current = round.current;
      return (answer: Answer) => {
        if (round.current !== current) return;
        setPiece(toTestedPiece(answer.response?.tested_piece ?? null, draft, choices));
      };
    },
    /** Call it with the answer to a live send of the tested piece. */
    recordSent: (testedPieceId: string, answer: Answer) => {
      const response = isRefused(answer) ? null : answer.response;
      const sendId = response?.send_id;
      const charged = response?.credits?.success ? response.credits.creditsDeducted : null;
      const sent = sendId === undefined ? null : { sendId, charged };
      setPiece((now) => (now?.offer.id === testedPieceId ? { ...now, sent } : now));
    },
    drop: () => {
      round.current++;
      setPiece(null);
    },
  };
}

function toTestedPiece(
  offer: TestedPieceOffer | null,
  draft: Draft | null,
  choices: SendChoices,
): TestedPiece | null {
  const mailType = draft && findMailType(draft);
  if (!offer || !draft || !mailType) return null;
  return { offer, mailType, draft, choices, sent: null };
}
