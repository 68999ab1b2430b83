import { useEffect, useRef, useState } from "react";
import type { Outcome } from "~/platform/outcome";
import {
  type DrawnText,
  EMPTY_DRAWING,
  type LetterDrawing,
  type LetterPages,
  type LetterRequest,
} from "../letter/letter-drawing";

/** A letter that the server laid out for the page's first HTML. */
export interface FirstLetter {
  request: LetterRequest;
  drawn: Outcome<LetterDrawing>;
}

const TIME_LIMIT_MS = 10_000;
/** Between two requests: the fastest typing stays below the limit of requests in a minute. */
const PAUSE_MS = 100;

/**
 * Asks the server for the lines of a letter's text, while it is typed. One request is under way at a time, and the next
 * has the newest text, so no answer arrives after a newer one. The last pages stay until then.
 * @param text null when the letter is not made from text
 */
export function useLetterDrawing(
  text: string | null,
  page: LetterRequest["page_size"],
  first: FirstLetter | null,
): LetterPages | null {
  const key = text === null ? null : `${page} ${text}`;
  const [last, setLast] = useState(() => ({
    of: first && `${first.request.page_size} ${first.request.text}`,
    ...showPages(EMPTY_DRAWING, first?.drawn ?? null),
  }));
  const asking = useRef(false);
  const askedAt = useRef(-PAUSE_MS);
  const blank = text === null || text.trim() === "";
  const closed = first?.drawn.ok === false && first.drawn.failure.code === "signed_out";
  useEffect(() => {
    if (blank || closed || last.of === key || asking.current) return;
    asking.current = true;
    const pause = Math.max(0, askedAt.current + PAUSE_MS - performance.now());
    setTimeout(async () => {
      askedAt.current = performance.now();
      const drawn = await ask({ text, page_size: page });
      asking.current = false;
      setLast((before) => ({ of: key, ...showPages(before.drawing, drawn) }));
    }, pause);
  }, [text, page, key, blank, closed, last]);
  if (text === null) return null;
  return blank ? { drawing: EMPTY_DRAWING, problem: null } : last;
}

function showPages(before: LetterDrawing, drawn: Outcome<LetterDrawing> | null): LetterPages {
  if (!drawn) return { drawing: before, problem: null };
  if (!drawn.ok) return { drawing: before, problem: drawn.failure.message };
  const pages = drawn.value.pages.map((page, at) => reuseSame(before.pages[at], page));
  return { drawing: { ...drawn.value, pages }, problem: null };
}

/** Keeps the object of an unchanged page, so that it is not drawn again. */
function reuseSame(before: DrawnText[] | undefined, page: DrawnText[]): DrawnText[] {
  return before && JSON.stringify(before) === JSON.stringify(page) ? before : page;
}

async function ask(request: LetterRequest): Promise<Outcome<LetterDrawing>> {
  try {
    const reply = await fetch("/api/letter-layout", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    const answer = await reply.json();
    if (reply.ok) return { ok: true, value: answer.letter };
    return { ok: false, failure: { code: "bad_input", message: String(answer.error) } };
  } catch {
    return {
      ok: false,
      failure: {
        code: "database_unavailable",
        message:
          "The preview is not up to date: the server did not answer. It is asked again with your next change.",
      },
    };
  }
}
