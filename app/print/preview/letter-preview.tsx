import { memo, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { MOST_LETTER_PAGES } from "../artwork/print-quality";
import { formatLetterPageAltText } from "../layout/alt-text";
import { findArtworkKind, formatUndrawable } from "../layout/artwork";
import { type Box, findLetterPage, placeLetterText } from "../layout/geometry";
import { LAYERS, type Layer } from "../layout/layers";
import { layoutLetterAddress, listAddressLines } from "../layout/layout";
import type { PreviewFile, PreviewState } from "../layout/preview-content";
import { type DrawnText, EMPTY_DRAWING, type LetterDrawing } from "../letter/letter-drawing";
import { formatHiddenPages, formatTemplatePlaceholder } from "../messages";
import { Drawing, type Pen } from "./drawing";
import type { Zoom } from "./preview-view";
import {
  Block,
  ClearZone,
  LetterText,
  Mark,
  Outline,
  Placeholder,
  SpecimenStamp,
  ZoneNumber,
} from "./svg-parts";
import { PdfPageImage, usePdf } from "./uploaded-pdf";

/** Further pages are counted, not drawn: the provider does not print them. */
const MOST_DRAWN_PAGES = MOST_LETTER_PAGES;
const NO_TEXT: readonly DrawnText[] = [];
const PREVIEW_PX = 1_240;
const PIXELS_PX = 2_550;

interface Look {
  layers: readonly Layer[];
  zoom: Zoom;
  /** Places with faults, on the first page. */
  marks: readonly Box[];
}

const NO_MARKS: readonly Box[] = [];

/** A letter's pages, one below the other: from its PDF, else from its text. A template has one placeholder page. */
export function LetterPreview({
  state,
  text,
  layers = LAYERS,
  zoom = "fit",
  marks = NO_MARKS,
}: {
  state: PreviewState;
  /** Null when the letter is not made from text. */
  text: LetterDrawing | null;
} & Partial<Look>) {
  const look = { layers, zoom, marks };
  const { template, file } = state;
  if (template !== "")
    return <NotedPage state={state} lines={formatTemplatePlaceholder(template)} {...look} />;
  if (file && findArtworkKind(file.base64) !== "pdf") {
    return <NotedPage state={state} lines={formatUndrawable(file)} {...look} />;
  }
  if (file) return <PdfPages state={state} file={file} {...look} />;
  return <TextPages state={state} letter={text ?? EMPTY_DRAWING} {...look} />;
}

/** A page that shows a few words in place of its content. */
function NotedPage({ state, lines, ...look }: { state: PreviewState; lines: readonly string[] } & Look) {
  return (
    <Pages total={1}>
      {() => (
        <Page {...look} {...pickPage(state)} number={1} text={NO_TEXT}>
          {() => (
            <Placeholder
              box={findLetterPage(state.home).trim}
              words={placeLetterText(state.home, 1)}
              lines={lines}
            />
          )}
        </Page>
      )}
    </Pages>
  );
}

function TextPages({ state, letter, ...look }: { state: PreviewState; letter: LetterDrawing } & Look) {
  const { pages, total } = letter;
  return (
    <Pages total={total}>
      {(number) => (
        <TextPage {...look} {...pickPage(state)} number={number} text={pages[number - 1] ?? NO_TEXT} />
      )}
    </Pages>
  );
}

const TextPage = memo(function TextPage(props: Omit<PageProps, "children">) {
  const { text, number, home, layers } = props;
  return (
    <Page {...props}>
      {(pen) =>
        layers.includes("message") ? (
          <>
            <Outline layer="message" box={placeLetterText(home, number)} unit={pen.unit * 0.7} />
            <LetterText text={text} />
          </>
        ) : null
      }
    </Page>
  );
});

function PdfPages({ state, file, ...look }: { state: PreviewState; file: PreviewFile } & Look) {
  const opening = usePdf(file.base64);
  const total = opening?.step === "open" ? opening.file.pages : (file.pages ?? 1);
  const { trim } = findLetterPage(state.home);
  return (
    <Pages total={total}>
      {(number) => (
        <Page {...look} {...pickPage(state)} number={number} text={NO_TEXT}>
          {(_pen, seen) => (
            <PdfPageImage
              opening={seen ? opening : null}
              file={file}
              page={number}
              box={trim}
              words={placeLetterText(state.home, number)}
              whole
              widthPx={look.zoom === "pixels" ? PIXELS_PX : PREVIEW_PX}
            />
          )}
        </Page>
      )}
    </Pages>
  );
}

function Pages({ total, children }: { total: number; children: (number: number) => ReactNode }) {
  const drawn = Math.min(total, MOST_DRAWN_PAGES);
  return (
    <ol className="grid gap-3">
      {Array.from({ length: drawn }, (_, at) => at + 1).map((number) => (
        <li key={number}>
          <p className="mb-1 text-small text-dim tabular-nums">
            Page {number} of {total}
          </p>
          {children(number)}
        </li>
      ))}
      {total > drawn ? <li className="text-dim">{formatHiddenPages(total - drawn)}</li> : null}
    </ol>
  );
}

/** Plain values, so that `memo` keeps unchanged pages. */
interface PageProps extends Look {
  home: PreviewState["home"];
  measured: PreviewState["measured"];
  test: boolean;
  /** The address's lines, joined by line ends. */
  address: string;
  number: number;
  text: readonly DrawnText[];
  children: (pen: Pen, seen: boolean) => ReactNode;
}

function pickPage(state: PreviewState): Pick<PageProps, "home" | "measured" | "test" | "address"> {
  const { home, measured, test } = state;
  return { home, measured, test, address: listAddressLines(state).join("\n") };
}

/** A page's text, with its line ends. */
function joinLines(text: readonly DrawnText[]): string {
  return text
    .map((part, at) => (part.baseline === text[at - 1]?.baseline ? part.text : `\n${part.text}`))
    .join("")
    .trim();
}

/** The paper of a page with its areas. */
function Page({ home, measured, test, address, number, text, layers, zoom, marks, children }: PageProps) {
  const [place, seen] = useSeen();
  const piece = useMemo(() => findLetterPage(home), [home]);
  const block = useMemo(() => layoutLetterAddress(address, { home, measured }), [address, home, measured]);
  return (
    <div ref={place}>
      <Drawing
        piece={piece}
        layers={layers}
        zoom={zoom}
        label={formatLetterPageAltText({ number, text: joinLines(text), address, test, layers })}
      >
        {(pen) => (
          <>
            {children(pen, seen)}
            {layers.includes("clear") ? (
              <>
                {/* In the order of CLEAR_ZONES. */}
                {number === 1 ? <Zone box={piece.window} pen={pen} number={1} /> : null}
                <Zone box={piece.code} pen={pen} number={2} />
              </>
            ) : null}
            {number === 1 && layers.includes("address") ? (
              <Block block={block} unit={pen.unit} until={piece.trim.height} />
            ) : null}
            {layers.includes("safe") ? <Outline layer="safe" box={piece.safe} unit={pen.unit * 1.2} /> : null}
            {layers.includes("trim") ? <Outline layer="trim" box={piece.trim} unit={pen.unit} /> : null}
            {number === 1
              ? marks.map((box) => <Mark key={`${box.x} ${box.y}`} box={box} unit={pen.unit} />)
              : null}
            {test ? <SpecimenStamp box={piece.trim} /> : null}
          </>
        )}
      </Drawing>
    </div>
  );
}

function Zone({ box, pen, number }: { box: Box; pen: Pen; number: number }) {
  return (
    <>
      <ClearZone box={box} hatch={pen.hatch} unit={pen.unit} />
      <ZoneNumber box={box} sizePt={pen.labelPt} above>
        {number}
      </ZoneNumber>
    </>
  );
}

/** Elements this far below the window count as seen, so that they are ready when they are scrolled to. */
const AHEAD = "400px";

/** True when an element has been in view; stays true. False on the server. */
function useSeen(): [RefObject<HTMLDivElement>, boolean] {
  const element = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        setSeen(true);
        observer.disconnect();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, seen];
}
