import { memo, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { MOST_LETTER_PAGES } from "../artwork/print-quality";
import { type Box, findLetterPage, placeLetterText } from "../layout/geometry";
import { layoutLetterAddress, listAddressLines } from "../layout/layout";
import type { PreviewFile, PreviewState } from "../layout/preview-content";
import { type DrawnText, EMPTY_DRAWING, type LetterDrawing } from "../letter/page";
import { formatHiddenPages, formatTemplatePlaceholder } from "../messages";
import { formatLetterPageAltText } from "./alt-text";
import { findArtworkKind, formatUndrawable, type Opening, PdfPageImage, usePdf } from "./artwork";
import { Drawing } from "./drawing";
import { type DrawingOptions, findDrawnPx } from "./preview-view";
import { Block, ClearZone, LetterText, Outline, Placeholder, Shown } from "./svg-parts";

const NO_TEXT: readonly DrawnText[] = [];
const NO_MARKS: readonly Box[] = [];

interface LetterPreviewProps extends Omit<DrawingOptions, "test"> {
  state: PreviewState;
  /** Null when the letter is not made from text. */
  text: LetterDrawing | null;
}

/** A letter's pages, one below the other: from its PDF, else from its text. A template has one placeholder page. */
export function LetterPreview({ state, text, layers, zoom, marks }: LetterPreviewProps) {
  const { template, file, home, measured, test } = state;
  const note = template === "" ? findFileNote(file) : formatTemplatePlaceholder(template);
  const pdf = note === null ? file : null;
  const opening = usePdf(pdf?.base64 ?? null);
  const { pages, total: textPages } = text ?? EMPTY_DRAWING;
  const pdfPages = opening?.step === "open" ? opening.file.pages : (pdf?.pages ?? 1);
  const total = note ? 1 : pdf ? pdfPages : textPages;
  // Further pages are counted, not drawn: the provider does not print them.
  const drawn = Math.min(total, MOST_LETTER_PAGES);
  const address = listAddressLines(state).join("\n");
  const shared = { home, measured, test, layers, zoom, address, note, pdf, opening, total };
  return (
    <ol className="grid gap-3">
      {Array.from({ length: drawn }, (_, at) => (
        <LetterPage
          // biome-ignore lint/suspicious/noArrayIndexKey: a page is known by its number
          key={at}
          {...shared}
          number={at + 1}
          text={(note ?? pdf) ? NO_TEXT : (pages[at] ?? NO_TEXT)}
          marks={at === 0 ? marks : NO_MARKS}
        />
      ))}
      {total > drawn ? <li className="text-dim">{formatHiddenPages(total - drawn)}</li> : null}
    </ol>
  );
}

function findFileNote(file: PreviewFile | null): string[] | null {
  return file && findArtworkKind(file.base64) !== "pdf" ? formatUndrawable(file) : null;
}

/** Plain values, so that `memo` keeps unchanged pages of a text. */
interface PageProps extends DrawingOptions, Pick<PreviewState, "home" | "measured"> {
  address: string;
  number: number;
  total: number;
  text: readonly DrawnText[];
  /** A few words in place of the content. */
  note: readonly string[] | null;
  /** The file that is printed instead of a text. */
  pdf: PreviewFile | null;
  opening: Opening | null;
}

function joinLines(text: readonly DrawnText[]): string {
  return text
    .map((part, at) => (part.baseline === text[at - 1]?.baseline ? part.text : `\n${part.text}`))
    .join("")
    .trim();
}

const LetterPage = memo(function LetterPage(props: PageProps) {
  const { home, measured, test, layers, zoom, marks, address, number, total, text, note, pdf } = props;
  const [place, seen] = useSeen();
  const piece = useMemo(() => findLetterPage(home), [home]);
  const block = useMemo(() => layoutLetterAddress(address, { home, measured }), [address, home, measured]);
  const words = placeLetterText(home, number);
  return (
    <li ref={place}>
      <p className="mb-1 text-small text-dim tabular-nums">
        Page {number} of {total}
      </p>
      <Drawing
        piece={piece}
        layers={layers}
        zoom={zoom}
        marks={marks}
        test={test}
        label={formatLetterPageAltText(number, joinLines(text), address, props)}
      >
        {note ? (
          <Placeholder box={piece.trim} words={words} lines={note} />
        ) : pdf ? (
          <PdfPageImage
            opening={seen ? props.opening : null}
            file={pdf}
            page={number}
            box={piece.trim}
            words={words}
            whole
            widthPx={findDrawnPx(zoom, piece.trim.width)}
          />
        ) : (
          <Shown layer="message">
            <Outline layer="message" box={words} />
            <LetterText text={text} />
          </Shown>
        )}
        {/* In the order of CLEAR_ZONES. */}
        {number === 1 ? <ClearZone box={piece.window} number={1} above /> : null}
        <ClearZone box={piece.code} number={2} above />
        {number === 1 ? (
          <Shown layer="address">
            <Block block={block} until={piece.trim.height} />
          </Shown>
        ) : null}
      </Drawing>
    </li>
  );
});

/** Elements this far below the window count as seen, so that they are ready when they are scrolled to. */
const AHEAD = "400px";

/** True when an element has been in view; stays true. False on the server. */
function useSeen(): [RefObject<HTMLLIElement>, boolean] {
  const element = useRef<HTMLLIElement>(null);
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
