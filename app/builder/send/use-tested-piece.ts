import { useRef, useState } from "react";
import type { TestedPieceOffer } from "~/pieces/tested/tested-offer.server";
import type { Draft } from "../draft/draft";
import { findMailType } from "../draft/mode";
import { type Answer, isRefused } from "./answer";
import type { SendChoices, TestedPiece } from "./tested-piece";

/** The last test that can be sent live. */
export interface TestedPieceView {
  piece: TestedPiece | null;
  /** Call it before sending `draft`. The function it returns takes the tested piece from the answer. */
  begin: (draft: Draft) => (answer: Answer) => void;
  /** Call it with the answer to a live send of the tested piece. */
  noteSent: (testedPieceId: string, answer: Answer) => void;
  drop: () => void;
}

/** @param opened the page's first answer, tested piece and draft */
export function useTestedPiece(
  opened: { answer: Answer | null; tested: TestedPieceOffer | null; initialDraft: Draft | null },
  choices: SendChoices,
): TestedPieceView {
  const [piece, setPiece] = useState(() =>
    toTestedPiece(findOffer(opened.answer) ?? opened.tested, opened.initialDraft, choices),
  );
  // An answer that arrives after another preset was opened is ignored.
  const round = useRef(0);
  return {
    piece,
    begin: (draft) => {
      const current = round.current;
      return (answer) => {
        if (round.current === current) setPiece(toTestedPiece(findOffer(answer), draft, choices));
      };
    },
    noteSent: (testedPieceId, answer) => {
      const response = isRefused(answer) || answer.kind === "stopped" ? null : answer.response;
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

function findOffer(answer: Answer | null): TestedPieceOffer | null {
  return (answer && answer.kind !== "stopped" && answer.response?.tested_piece) || null;
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
