import { useRef, useState } from "react";
import type { Draft } from "../draft";
import { findMailType } from "../mode/mail-type";
import { type Answer, isRefused } from "../response/answer";
import type { TestedPiece } from "./tested-piece";

interface Around {
  baseUrl: string;
  userId: string | null;
}

/** The last test that can be promoted. */
export interface TestedPieceView {
  held: TestedPiece | null;
  /** To be called when `sent` goes out; what it gives takes the proof out of the answer, or the former proof away. */
  begin: (sent: Draft) => (answer: Answer) => void;
  /** Notes what became of a promotion. */
  promoted: (testedPieceId: string, answer: Answer) => void;
  drop: () => void;
}

export function useTestedPiece(
  posted: { answer: Answer | null; draft: Draft } | null,
  around: Around,
): TestedPieceView {
  const [held, setHeld] = useState(() =>
    findTestedPiece(posted?.answer ?? null, posted?.draft ?? null, around),
  );
  // An answer that arrives after another preset was opened is none of that one's business.
  const round = useRef(0);
  const drop = () => {
    round.current++;
    setHeld(null);
  };
  return {
    held,
    begin: (sent) => {
      const mine = round.current;
      return (answer) => {
        if (round.current === mine) setHeld(findTestedPiece(answer, sent, around));
      };
    },
    promoted: (testedPieceId, answer) => {
      const sendId =
        isRefused(answer) || answer.kind === "stopped" ? null : (answer.response?.send_id ?? null);
      setHeld((now) => (now?.offer.id === testedPieceId ? { ...now, sendId } : now));
    },
    drop,
  };
}

function findTestedPiece(answer: Answer | null, draft: Draft | null, around: Around): TestedPiece | null {
  const offer = answer && answer.kind !== "stopped" ? answer.response?.tested_piece : undefined;
  const mailType = draft && findMailType(draft);
  if (!offer || !draft || !mailType) return null;
  return { offer, mailType, draft, around, sendId: null };
}
