import { memo, useCallback, useDeferredValue, useEffect, useRef, useState } from "react";
import { findLetterPage, findPostcard } from "../layout/geometry";
import type { PreviewState } from "../layout/preview-content";
import { FindingsList } from "./findings-list";
import { ApproximationNotes, Legend } from "./legend";
import { LetterPreview } from "./letter-preview";
import { PostcardPreview } from "./postcard-preview";
import { PreviewHeader } from "./preview-header";
import { FIRST_VIEW, type PreviewView } from "./preview-view";
import { usePreviewShown } from "./use-preview-shown";
import { usePrintShare } from "./use-print-share";

interface PreviewProps {
  state: PreviewState;
  /** How it is looked at when it first appears: {@link parsePreviewView} of a posted form. */
  view?: PreviewView;
  /** The Builder's form, to which the proof's own fields belong wherever the proof stands. */
  formId: string;
  /** Where "Update proof" posts that form, without JavaScript. */
  updateAction: string;
}

/**
 * The live proof: the piece as it will print, switches for its layers, side and zoom, and what would go wrong.
 * Drawing waits for typing: it is done again in React's spare time.
 */
export function Preview({ state, view: first = FIRST_VIEW, formId, updateAction }: PreviewProps) {
  const [view, setView] = useState(first);
  const [shown, setShown] = usePreviewShown();
  const [share, setShare] = useState<number | null>(null);
  const changeView = useCallback(
    (change: Partial<PreviewView>) => setView((now) => ({ ...now, ...change })),
    [],
  );
  const deferred = useDeferredValue(state);
  return (
    <section aria-label="Preview" className="grid min-w-0 content-start gap-3">
      <PreviewHeader
        subject={describeSubject(state, view, shown ? share : null)}
        sided={state.kind === "postcard"}
        view={view}
        shown={shown}
        formId={formId}
        onView={changeView}
        onShown={setShown}
      />
      {shown ? (
        <PreviewBody state={deferred} view={view} formId={formId} onView={changeView} onShare={setShare} />
      ) : null}
      <noscript>
        <p className="px-4 pb-2">
          <button
            type="submit"
            form={formId}
            formAction={updateAction}
            name="intent"
            value="update"
            className="button"
          >
            Update proof
          </button>{" "}
          draws what the form holds now, with the layers ticked above.
        </p>
      </noscript>
    </section>
  );
}

function describeSubject(
  { kind, size, home }: PreviewState,
  { side }: PreviewView,
  share: number | null,
): string {
  const piece =
    kind === "postcard" ? `${side} of ${size || "a postcard"}` : `letter, ${findLetterPage(home).label}`;
  return share === null ? piece : `${piece}, at ${share} % of print size`;
}

const PreviewBody = memo(function PreviewBody({
  state,
  view: { side, zoom, layers },
  formId,
  onView,
  onShare,
}: {
  state: PreviewState;
  view: PreviewView;
  formId: string;
  onView: (change: Partial<PreviewView>) => void;
  /** How large the drawing is, in per cent of paper. */
  onShare: (share: number | null) => void;
}) {
  const ground = useRef<HTMLElement>(null);
  const share = usePrintShare(ground);
  useEffect(() => onShare(share), [share, onShare]);
  const postcard = state.kind === "postcard";
  const piece = postcard ? findPostcard(state.size, side) : findLetterPage(state.home);
  if (!piece) {
    return <p className="px-4 py-8 text-center text-dim">Choose a size, and the proof appears here.</p>;
  }
  return (
    <>
      <section
        ref={ground}
        aria-label="Drawing"
        tabIndex={postcard && zoom === "fit" ? undefined : 0}
        className="max-h-[80vh] overflow-auto bg-sunken p-2"
      >
        {postcard ? (
          <PostcardPreview state={state} side={side} layers={layers} zoom={zoom} />
        ) : (
          <LetterPreview state={state} layers={layers} zoom={zoom} />
        )}
      </section>
      {zoom === "print" ? (
        <p className="px-4 text-[12px] text-dim">
          Hold a ruler against the scale: at a browser zoom of 100 % an inch is about an inch on most screens.
        </p>
      ) : null}
      <FindingsList state={state} />
      <Legend
        state={state}
        side={side}
        layers={layers}
        formId={formId}
        onChange={(next) => onView({ layers: next })}
      />
      <ApproximationNotes kind={state.kind} />
    </>
  );
});
