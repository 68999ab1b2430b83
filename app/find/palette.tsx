import { useNavigate } from "@remix-run/react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { formatResultCount, type Hit, HitText, listGroups, SEARCH_HINT, type SearchResult } from "./found";

const TYPING_MS = 90;

type State = { result: SearchResult | null; failed: boolean; busy: boolean };

/** Shows a search over the page. Results come during typing, arrow keys choose. A lazy chunk. */
export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const { result, failed, busy } = useResult(query);
  const navigate = useNavigate();
  const listId = useId();
  const groups = result ? listGroups(result) : [];
  const hits = groups.flatMap((group) => group.hits);
  const at = Math.min(chosen, hits.length - 1);

  useEffect(() => {
    // In development React runs an effect twice.
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  useEffect(() => {
    document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at, listId]);

  const open = (hit: Hit) => {
    onClose();
    // Ends the session: not a page of the app.
    if (hit.to.startsWith("/api/")) window.location.assign(hit.to);
    else navigate(hit.to);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const hit = hits[at];
    if (step !== undefined && hits.length > 0) {
      event.preventDefault();
      setChosen((at + step + hits.length) % hits.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      // While busy, the hits may be of an earlier text.
      if (hit && !busy) open(hit);
    }
  };
  const statusText = failed
    ? "The search could not reach the server. Keep typing to retry."
    : (result?.problem ??
      (result && result.query !== "" ? formatResultCount(result.query, hits.length) : SEARCH_HINT));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the dialog closes it, as Escape does.
    <dialog
      ref={dialog}
      aria-label="Search"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      className="palette"
    >
      <div className="flex max-h-[70vh] flex-col">
        <input
          role="combobox"
          aria-label="Search for"
          aria-expanded={hits.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={hits.length > 0 ? `${listId}-${at}` : undefined}
          placeholder="Name, place, ID, value, page…"
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKey}
          className="w-full border-line border-b bg-transparent px-4 py-3 text-lead outline-none placeholder:text-dim"
        />
        <div
          id={listId}
          role="listbox"
          aria-label="Results"
          aria-busy={busy}
          className="min-h-0 overflow-y-auto"
        >
          {groups.map(({ title, hits: inGroup }) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields.
            <div key={title} role="group" aria-label={title} className="pb-1">
              <p aria-hidden className="px-4 pt-2 pb-0.5 font-semibold text-dim text-small">
                {title}
              </p>
              {inGroup.map((hit) => {
                const index = hits.indexOf(hit);
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and the keys.
                  <div
                    key={`${hit.to} ${hit.title} ${hit.detail}`}
                    id={`${listId}-${index}`}
                    role="option"
                    aria-selected={index === at}
                    onClick={() => open(hit)}
                    onPointerMove={() => setChosen(index)}
                    className={`cursor-pointer px-4 py-1.5 ${index === at ? "bg-accent-wash" : ""}`}
                  >
                    <HitText hit={hit} />
                  </div>
                );
              })}
            </div>
          ))}
        </div>
        <p role="status" className="px-4 py-2 text-dim text-small">
          {statusText}
        </p>
      </div>
    </dialog>
  );
}

function useResult(query: string): State {
  const [state, setState] = useState<State>({ result: null, failed: false, busy: false });
  useEffect(() => {
    const controller = new AbortController();
    if (query.trim() === "") {
      setState({ result: null, failed: false, busy: false });
      return;
    }
    setState((before) => ({ ...before, busy: true }));
    const timer = setTimeout(async () => {
      const result = await fetchResult(query, controller.signal);
      if (!controller.signal.aborted) setState({ result, failed: result === null, busy: false });
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query]);
  return state;
}

async function fetchResult(q: string, signal: AbortSignal): Promise<SearchResult | null> {
  try {
    const reply = await fetch("/api/search", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ q }),
      signal,
    });
    return reply.ok ? ((await reply.json()).data as SearchResult) : null;
  } catch {
    return null;
  }
}
