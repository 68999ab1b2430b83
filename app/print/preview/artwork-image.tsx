import { findArtworkKind, formatUndrawable } from "../layout/artwork";
import type { Box } from "../layout/geometry";
import type { PreviewFile } from "../layout/preview-content";
import { formatFileName } from "../messages";
import { Picture, Placeholder } from "./svg-parts";
import { PdfPageImage, usePdf } from "./uploaded-pdf";
import { usePicture } from "./use-picture";

interface ArtworkProps {
  file: PreviewFile;
  box: Box;
  /** Top of the placeholder's text. */
  words?: Box;
  /** Width in pixels at which images and PDF pages are drawn. */
  widthPx: number;
}

/** A JPG, a PNG or a PDF's first page, filling its box. */
export function ArtworkImage({ file, ...place }: ArtworkProps) {
  const kind = findArtworkKind(file.base64);
  if (kind === "pdf") return <PdfArtwork file={file} {...place} />;
  if (kind === null) return <Placeholder {...place} lines={formatUndrawable(file)} />;
  return <ImageArtwork file={file} kind={kind} {...place} />;
}

function ImageArtwork({ file, kind, box, words, widthPx }: ArtworkProps & { kind: "jpeg" | "png" }) {
  const { href, failed } = usePicture(file.base64, kind, widthPx);
  if (href !== null) return <Picture href={href} box={box} />;
  const lines = [failed ? "This image cannot be shown" : "Loading the image", formatFileName(file.name)];
  return <Placeholder box={box} words={words} lines={lines} />;
}

function PdfArtwork(props: ArtworkProps) {
  return <PdfPageImage {...props} opening={usePdf(props.file.base64)} page={1} />;
}
