import { useEffect, useMemo, useState } from "react";
import { decodeBase64InParts } from "~/ui/pdf/base64";
import { findArtworkKind, formatUndrawable } from "../layout/artwork";
import type { Box } from "../layout/geometry";
import type { PreviewFile } from "../layout/preview-content";
import { formatFileName } from "../messages";
import { Picture, Placeholder } from "./svg-parts";
import { PdfPageImage, usePdf } from "./uploaded-pdf";

interface ArtworkProps {
  file: PreviewFile;
  box: Box;
  /** Top of the placeholder's text. */
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
