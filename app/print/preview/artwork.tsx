import { useEffect, useMemo, useState } from "react";
import { decodeBase64InParts } from "~/ui/pdf/base64";
import { openPdf, type PageImage, type PdfContent, type PdfFile, toUnread } from "~/ui/pdf/pdf-file";
import { MOST_LETTER_PAGES } from "../artwork/print-quality";
import type { Box } from "../layout/geometry";
import type { PreviewFile } from "../layout/preview-content";
import { formatFileName, formatPdf } from "../messages";
import { Picture, Placeholder } from "./svg-parts";

interface ArtworkProps {
  file: PreviewFile;
  box: Box;
  words?: Box;
  /** Width in pixels at which PDF pages are drawn. */
  widthPx: number;
}

/** A JPG, a PNG or a PDF's first page, filling its box. */
export function ArtworkImage({ file, ...place }: ArtworkProps) {
  const kind = findArtworkKind(file.base64);
  if (kind === "pdf") return <PdfArtwork file={file} {...place} />;
  if (kind === null) return <Placeholder {...place} lines={formatUndrawable(file)} />;
  return <ImageArtwork file={file} kind={kind} {...place} />;
}

/** The address of a picture. It is the same text at each render, because comparing two of several MB is slow. */
export function usePictureUrl(base64: string, kind: "jpeg" | "png"): string {
  return useMemo(() => `data:image/${kind};base64,${base64}`, [base64, kind]);
}

function ImageArtwork({ file, kind, box, words }: ArtworkProps & { kind: "jpeg" | "png" }) {
  const url = usePictureUrl(file.base64, kind);
  const [failed, setFailed] = useState<string | null>(null);
  // The browser draws a damaged picture as far as it can, and says nothing.
  useEffect(() => {
    decodeBase64InParts(file.base64)
      .then((parts) => createImageBitmap(new Blob(parts, { type: `image/${kind}` })))
      .then(
        (picture) => picture.close(),
        () => setFailed(url),
      );
  }, [file.base64, kind, url]);
  if (failed !== url) return <Picture href={url} box={box} />;
  const lines = ["This image cannot be shown", formatFileName(file.name)];
  return <Placeholder box={box} words={words} lines={lines} />;
}

function PdfArtwork(props: ArtworkProps) {
  return <PdfPageImage {...props} opening={usePdf(props.file.base64)} page={1} />;
}

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

function usePage(file: PdfFile | null, page: number, widthPx: number) {
  const [drawing, setDrawing] = useState<{ image?: PageImage; why?: string }>({});
  useEffect(() => {
    let wanted = true;
    file?.drawPage(page, widthPx).then(
      (image) => wanted && setDrawing({ image }),
      (error: Error) => wanted && setDrawing({ why: error.message }),
    );
    return () => {
      wanted = false;
    };
  }, [file, page, widthPx]);
  return drawing;
}

interface PdfPageImageProps extends ArtworkProps {
  opening: Opening | null;
  page: number;
  /** Show the whole page instead of filling the box. */
  whole?: boolean;
}

/** One page of a PDF. A placeholder names the file, and shows how much is loaded or why the page cannot be shown. */
export function PdfPageImage({ opening, file, page, box, words, widthPx, whole = false }: PdfPageImageProps) {
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

type ArtworkKind = "jpeg" | "png" | "pdf";

const STARTS: readonly (readonly [string, ArtworkKind])[] = [
  ["/9j/", "jpeg"],
  ["iVBORw0KGgo", "png"],
  ["JVBERi", "pdf"],
];

/** Finds a file's kind by its first bytes; null when the preview cannot draw it. */
export function findArtworkKind(base64: string): ArtworkKind | null {
  return STARTS.find(([start]) => base64.startsWith(start))?.[1] ?? null;
}

/** True when the field holds a URL, from which the provider downloads the file. */
export function isRemote(base64: string): boolean {
  return /^https?:\/\//i.test(base64);
}

/** The lines shown in place of a file that cannot be drawn. */
export function formatUndrawable({ base64, name }: PreviewFile): string[] {
  return isRemote(base64)
    ? ["The provider downloads this from", formatFileName(base64)]
    : [`${formatFileName(name)} is not a JPG, PNG or PDF`];
}
