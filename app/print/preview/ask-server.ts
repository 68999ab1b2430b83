import { useEffect, useMemo, useRef, useState } from "react";
import type { Outcome } from "~/platform/outcome";
import { toCameBack } from "../layout/finding";
import type { PreviewState } from "../layout/preview-content";
import {
  type DrawnText,
  EMPTY_DRAWING,
  type LetterDrawing,
  type LetterPages,
  type LetterRequest,
} from "../letter/page";

/** Data that a preview fetches during typing: the lines of a letter, and if mail to the recipient came back. */

const TIME_LIMIT_MS = 10_000;

/** A letter that the server laid out for the page's first HTML. */
export type FirstLetter = { request: LetterRequest; drawn: Outcome<LetterDrawing> };

/** Between two requests: the fastest typing stays below the limit of requests in a minute. */
const LETTER_PAUSE_MS = 100;

/**
 * Asks the server for the lines of a letter's text, one request at a time, so that no answer arrives after a newer one. The last pages stay
 * until then. @param text null when the letter is not made from text
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
  const askedAt = useRef(-LETTER_PAUSE_MS);
  const blank = text === null || text.trim() === "";
  const closed = first?.drawn.ok === false && first.drawn.failure.code === "signed_out";
  useEffect(() => {
    if (blank || closed || last.of === key || asking.current) return;
    asking.current = true;
    const pause = Math.max(0, askedAt.current + LETTER_PAUSE_MS - performance.now());
    setTimeout(async () => {
      askedAt.current = performance.now();
      const drawn = await fetchDrawing({ text, page_size: page });
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

async function fetchDrawing(request: LetterRequest): Promise<Outcome<LetterDrawing>> {
  try {
    const body = JSON.stringify(request);
    const reply = await post("/api/letter-layout", body, AbortSignal.timeout(TIME_LIMIT_MS));
    const answer = await reply.json();
    if (reply.ok) return { ok: true, value: answer.letter };
    return { ok: false, failure: { code: "bad_input", message: String(answer.error) } };
  } catch {
    const message =
      "The preview is not up to date: the server did not answer. It is asked again with your next change.";
    return { ok: false, failure: { code: "database_unavailable", message } };
  }
}

function post(path: string, body: string, signal: AbortSignal): Promise<Response> {
  return fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal });
}

/** After the last change of the address. */
const ADDRESS_PAUSE_MS = 400;

/** Asks the server if mail to the recipient came back. @param baseUrl account of a saved recipient; null: nothing is asked */
export function useReturned({ recipient, recipientId }: PreviewState, baseUrl: string | null) {
  const isKnown = recipientId !== "" || Boolean(recipient?.address1 && recipient.city);
  const body =
    baseUrl !== null && isKnown
      ? JSON.stringify({ recipient, recipient_id: recipientId || null, base_url: baseUrl })
      : null;
  const [found, setFound] = useState<{ body: string; at: string } | null>(null);
  useEffect(() => {
    if (body === null) return;
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(ADDRESS_PAUSE_MS + TIME_LIMIT_MS)]);
    const timer = setTimeout(async () => {
      const at = await fetchReturned(body, signal);
      if (at !== null) setFound({ body, at });
    }, ADDRESS_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [body]);
  const at = found !== null && found.body === body ? found.at : null;
  return useMemo(() => (at === null ? null : toCameBack(new Date(at))), [at]);
}

/** Without an answer nothing is found: the list's check and `preflight=only` have their own. */
async function fetchReturned(body: string, signal: AbortSignal): Promise<string | null> {
  try {
    const reply = await post("/api/returned-address", body, signal);
    return reply.ok ? (await reply.json()).returned_at : null;
  } catch {
    return null;
  }
}
