import { memo, useMemo } from "react";
import { findArtworkKind, formatUndrawable } from "../layout/artwork";
import type { Box } from "../layout/geometry";
import { formatFileName } from "../messages";
import { Picture, Placeholder } from "./svg-parts";
import { PdfPageImage, usePdf } from "./uploaded-pdf";
import { usePicture } from "./use-picture";

interface ArtworkProps {
  /** Separate values, not a file object: `memo` below compares them. */
  base64: string;
  name: string;
  pages?: number;
  box: Box;
  /** Top of the placeholder's text. */
  words?: Box;
  /** Width in pixels at which images and PDF pages are drawn. */
  widthPx: number;
}

/** A JPG, a PNG or a PDF's first page, filling its box. Drawn again only when the file or the box changes. */
export const ArtworkImage = memo(
  function ArtworkImage(props: ArtworkProps) {
    const { base64, name, box, words } = props;
    const kind = useMemo(() => findArtworkKind(base64), [base64]);
    if (kind === "pdf") return <PdfArtwork {...props} />;
    if (kind === null)
      return <Placeholder box={box} words={words} lines={formatUndrawable({ base64, name })} />;
    return <ImageArtwork {...props} kind={kind} />;
  },
  (before, after) =>
    before.base64 === after.base64 &&
    before.name === after.name &&
    before.pages === after.pages &&
    before.widthPx === after.widthPx &&
    JSON.stringify([before.box, before.words]) === JSON.stringify([after.box, after.words]),
);

function ImageArtwork({ base64, name, kind, box, words, widthPx }: ArtworkProps & { kind: "jpeg" | "png" }) {
  const { href, failed } = usePicture(base64, kind, widthPx);
  if (href !== null) return <Picture href={href} box={box} />;
  const lines = [failed ? "This image cannot be shown" : "Loading the image", formatFileName(name)];
  return <Placeholder box={box} words={words} lines={lines} />;
}

function PdfArtwork({ base64, name, pages, ...place }: ArtworkProps) {
  return <PdfPageImage {...place} opening={usePdf(base64)} file={{ base64, name, pages }} page={1} />;
}
