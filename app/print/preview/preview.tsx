import {
  memo,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Notice } from "~/ui/notice";
import { useRemembered } from "~/ui/use-remembered";
import type { Finding } from "../layout/finding";
import { listFindings } from "../layout/findings";
import { findLetterPage, findPostcard, type Side } from "../layout/geometry";
import { findLetterText } from "../layout/layout";
import { formatMeasured } from "../layout/measured";
import type { PreviewState } from "../layout/preview-content";
import { findPageSize } from "../letter/page";
import { usePdfContent } from "./artwork";
import { type FirstLetter, useLetterDrawing, useReturned } from "./ask-server";
import { ApproximationNotes, Legend } from "./legend";
import { LetterPreview } from "./letter-preview";
import { PostcardPreview } from "./postcard-preview";
import { PreviewHeader } from "./preview-header";
import { FIRST_VIEW, type PreviewView } from "./preview-view";

/** The numbers are those in the drawing. */
const CLEAR_ZONES = {
  postcard: "Clear zones (approximate): 1 address, 2 barcode, 3 postage",
  letter: "Clear zones (approximate): 1 address, 2 QR code",
};
const SIDES: readonly Side[] = ["front", "back"];

interface PreviewProps {
  state: PreviewState;
  /** The first view: {@link parsePreviewView} of a posted form. */
  view?: PreviewView;
  /** The letter's text as the server laid it out for this page. */
  letter: FirstLetter | null;
  /** The Builder's form. The preview's fields belong to it although they are outside of it. */
  formId: string;
  /** URL that the update button posts to without JavaScript. */
  updateAction: string;
  /** The account to check for returned mail. Rows of a list have none: they are checked with the list. */
  baseUrl?: string;
  onFindings?: (findings: Finding[]) => void;
}

/**
 * The piece as it will be printed, switches for layers, side and zoom, and what would go wrong. Where there is no room for both sides of a
 * postcard, the one that got a file last is shown. Drawing is deferred so that typing stays fast.
 */
export function Preview(props: PreviewProps) {
  const { state, view: posted, formId, updateAction } = props;
  const [chosen, setChosen] = useState<Partial<PreviewView>>(posted ?? {});
  const [lastSide, rememberSide] = useRemembered<Side>("preview.side", FIRST_VIEW.side);
  const view = useMemo(() => ({ ...FIRST_VIEW, side: lastSide, ...chosen }), [lastSide, chosen]);
  const [visibility, setVisibility] = useRemembered<"shown" | "hidden">("preview", "shown");
  const shown = visibility === "shown";
  const [share, setShare] = useState<number | null>(null);
  const changeView = useCallback(
    (change: Partial<PreviewView>) => {
      setChosen((now) => ({ ...now, ...change }));
      if (change.side) rememberSide(change.side);
    },
    [rememberSide],
  );
  const deferred = useDeferredValue(state);
  useUploadedSide(state, changeView);
  return (
    <section aria-label="Preview" className="@container grid min-w-0 content-start gap-3">
      <PreviewHeader
        subject={formatSubject(state)}
        share={share}
        sided={state.kind === "postcard"}
        view={view}
        shown={shown}
        formId={formId}
        onView={changeView}
        onShown={(next) => setVisibility(next ? "shown" : "hidden")}
      />
      {shown ? (
        <PreviewBody {...props} state={deferred} view={view} onView={changeView} onShare={setShare} />
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
            Update preview
          </button>{" "}
          redraws the form's values with the layers ticked above.
        </p>
      </noscript>
    </section>
  );
}

function useUploadedSide({ front, back }: PreviewState, changeView: (change: Partial<PreviewView>) => void) {
  const last = useRef({ front: front?.base64, back: back?.base64 });
  useEffect(() => {
    const now = { front: front?.base64, back: back?.base64 };
    for (const side of SIDES) if (now[side] && now[side] !== last.current[side]) changeView({ side });
    last.current = now;
  }, [front?.base64, back?.base64, changeView]);
}

function formatSubject({ kind, size, home }: PreviewState): string {
  return kind === "postcard" ? size || "a postcard" : findLetterPage(home).label;
}

const PreviewBody = memo(function PreviewBody({
  state,
  view: { side, zoom, layers },
  letter: first,
  formId,
  onView,
  onShare,
  baseUrl,
  onFindings,
}: Omit<PreviewProps, "view"> & {
  view: PreviewView;
  onView: (change: Partial<PreviewView>) => void;
  /** Size of the drawing in per cent of the paper. */
  onShare: (share: number | null) => void;
}) {
  const ground = useRef<HTMLElement>(null);
  const share = usePrintShare(ground);
  useEffect(() => onShare(share), [share, onShare]);
  const text = useMemo(() => findLetterText(state), [state]);
  const letter = useLetterDrawing(text, findPageSize(state.home), first);
  const pdf = usePdfContent(state.kind === "letter" ? state.file : state.back);
  const returned = useReturned(state, baseUrl ?? null);
  const findings = useMemo(
    () => [...(returned ? [returned] : []), ...listFindings(state, letter, pdf)],
    [returned, state, letter, pdf],
  );
  useEffect(() => onFindings?.(findings), [findings, onFindings]);
  const marks = useMemo(() => findings.flatMap(({ mark }) => mark ?? []), [findings]);
  const postcard = state.kind === "postcard";
  const piece = postcard ? findPostcard(state.size, side) : findLetterPage(state.home);
  if (!piece) {
    return <p className="px-4 py-8 text-center text-dim">Choose a size to see the preview.</p>;
  }
  return (
    <>
      <section
        ref={ground}
        aria-label="Drawing"
        tabIndex={postcard && zoom === "fit" ? undefined : 0}
        // The panel around it scrolls for a postcard that fills the width.
        className={`bg-sunken p-2 ${postcard && zoom === "fit" ? "" : "max-h-[80vh] overflow-auto"}`}
      >
        {postcard ? (
          <div className={`grid gap-2 ${zoom === "fit" ? "@min-[60rem]:grid-cols-2" : ""}`}>
            {SIDES.map((shown) => (
              <figure key={shown} className={shown === side ? "" : "hidden @min-[28rem]:block"}>
                <figcaption className="mb-1 text-[12px] text-dim capitalize">{shown}</figcaption>
                <PostcardPreview state={state} side={shown} layers={layers} zoom={zoom} marks={marks} />
              </figure>
            ))}
          </div>
        ) : (
          <LetterPreview
            state={state}
            text={letter?.drawing ?? null}
            layers={layers}
            zoom={zoom}
            marks={marks}
          />
        )}
      </section>
      {layers.includes("clear") ? (
        <p className="px-4 text-small text-dim tabular-nums">{CLEAR_ZONES[state.kind]}</p>
      ) : null}
      {postcard || state.measured ? (
        <p className="px-4 text-small text-dim">
          {state.measured
            ? formatMeasured(state.measured)
            : "Text and positions are approximate until you send a test. Then you see the provider's PDF here."}
        </p>
      ) : null}
      {zoom === "print" ? (
        <p className="px-4 text-small text-dim">
          At 100 % browser zoom this is close to real size on most screens. Check it with a ruler.
        </p>
      ) : null}
      <FindingsList findings={findings} />
      <Legend state={state} layers={layers} formId={formId} onChange={(next) => onView({ layers: next })} />
      <ApproximationNotes kind={state.kind} />
    </>
  );
});

/** The faults of the print and the limits of the preview; screen readers announce changes. */
function FindingsList({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul aria-live="polite" aria-label="Preview notes" className="grid gap-2 px-4 empty:hidden">
      {findings.map(({ tone, text }) => (
        <li key={text}>
          <Notice tone={tone === "ruins" ? "bad" : tone}>{text}</Notice>
        </li>
      ))}
    </ul>
  );
}

/** In CSS an inch is 96 pixels on every screen. */
const PIXELS_PER_POINT = 96 / 72;

/** Size of the drawing inside `ground` in per cent of the paper; null until it is measured. */
function usePrintShare(ground: RefObject<HTMLElement>): number | null {
  const [share, setShare] = useState<number | null>(null);
  // Runs after every render, because any of them may change the size. Measuring is cheap.
  useEffect(() => {
    const element = ground.current;
    if (!element) return;
    const measure = () => {
      const scale = element.querySelector("svg")?.getScreenCTM()?.a;
      setShare(scale ? Math.round((scale / PIXELS_PER_POINT) * 100) : null);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  });
  return share;
}
