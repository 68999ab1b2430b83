import { useEffect, useState } from "react";
import { openPdf, type PageImage, type PdfContent, type PdfFile, toUnread } from "~/ui/pdf/pdf-file";
import { MOST_LETTER_PAGES } from "../artwork/print-quality";
import { findArtworkKind } from "../layout/artwork";
import type { Box } from "../layout/geometry";
import type { PreviewFile } from "../layout/preview-content";
import { formatFileName, formatPdf } from "../messages";
import { Picture, Placeholder } from "./svg-parts";

export type Opening =
  | { step: "reading"; share: number }
  | { step: "open"; file: PdfFile }
  | { step: "failed"; why: string };

/** Opens a PDF as long as the component is mounted; null for no PDF. */
export function usePdf(base64: string | null): Opening | null {
  const [opening, setOpening] = useState<Opening | null>(null);
  useEffect(() => {
    if (base64 === null) return;
    let wanted = true;
    const show = (next: Opening) => {
      if (wanted) setOpening(next);
    };
    show({ step: "reading", share: 0 });
    openPdf(base64, (share) => show({ step: "reading", share })).then(
      (file) => show({ step: "open", file }),
      (error: Error) => show({ step: "failed", why: error.message }),
    );
    return () => {
      wanted = false;
      setOpening(null);
    };
  }, [base64]);
  return opening;
}

/** The content of an attached PDF; null while it is read, and for another file. */
export function usePdfContent(file: PreviewFile | null): PdfContent | null {
  const [found, setFound] = useState<{ base64: string; content: PdfContent } | null>(null);
  const base64 = file && findArtworkKind(file.base64) === "pdf" ? file.base64 : null;
  useEffect(() => {
    if (base64 === null) return;
    let wanted = true;
    openPdf(base64, () => {})
      .then((pdf) => pdf.inspect(MOST_LETTER_PAGES))
      .catch((error: Error) => toUnread(error.message))
      .then((content) => wanted && setFound({ base64, content }));
    return () => {
      wanted = false;
    };
  }, [base64]);
  return found?.base64 === base64 ? found.content : null;
}

type Drawing = { image: PageImage | null; why: string | null };

function usePage(file: PdfFile | null, page: number, widthPx: number): Drawing {
  const [drawing, setDrawing] = useState<Drawing>({ image: null, why: null });
  useEffect(() => {
    let wanted = true;
    file?.drawPage(page, widthPx).then(
      (image) => wanted && setDrawing({ image, why: null }),
      (error: Error) => wanted && setDrawing({ image: null, why: error.message }),
    );
    return () => {
      wanted = false;
    };
  }, [file, page, widthPx]);
  return drawing;
}

/**
 * One page of a PDF as an image in an SVG. Without JavaScript a placeholder names the file; with it, the placeholder
 * shows how much is loaded, or why the page cannot be shown.
 */
export function PdfPageImage({
  opening,
  file,
  page,
  box,
  words,
  widthPx,
  whole = false,
}: {
  opening: Opening | null;
  file: PreviewFile;
  page: number;
  box: Box;
  /** Area for the placeholder's text. */
  words?: Box;
  widthPx: number;
  /** Show the whole page instead of filling the box. */
  whole?: boolean;
}) {
  const { image, why } = usePage(opening?.step === "open" ? opening.file : null, page, widthPx);
  if (image) return <Picture href={image.url} box={box} whole={whole} />;
  const failure = why ?? (opening?.step === "failed" ? opening.why : null);
  const name = formatFileName(file.name);
  return (
    <Placeholder
      box={box}
      words={words}
      lines={failure ? [name, failure] : [formatStep(opening, file, page), name]}
    />
  );
}

function formatStep(opening: Opening | null, file: PreviewFile, page: number): string {
  if (opening?.step === "reading") return `Loading the PDF, ${Math.round(opening.share * 100)} %`;
  if (opening?.step === "open") return `Loading page ${page} of ${opening.file.pages}`;
  return formatPdf(file.pages);
}
