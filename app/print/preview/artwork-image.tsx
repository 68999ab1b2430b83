import { memo, useMemo } from "react";
import { findArtworkKind, formatUndrawable } from "../layout/artwork";
import type { Box } from "../layout/geometry";
import { formatFileName } from "../messages";
import { Placeholder, round } from "./svg-parts";
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
  function ArtworkImage({ base64, name, pages, box, words, widthPx }: ArtworkProps) {
    const kind = useMemo(() => findArtworkKind(base64), [base64]);
    if (kind === "pdf") return <PdfArtwork {...{ base64, name, pages, box, words, widthPx }} />;
    if (kind === null)
      return <Placeholder box={box} words={words} lines={formatUndrawable({ base64, name })} />;
    return <Picture {...{ base64, name, kind, box, words, widthPx }} />;
  },
  (before, after) =>
    before.base64 === after.base64 &&
    before.name === after.name &&
    before.pages === after.pages &&
    before.widthPx === after.widthPx &&
    isSameBox(before.box, after.box) &&
    isSameBox(before.words, after.words),
);

function isSameBox(one: Box | undefined, other: Box | undefined): boolean {
  if (!one || !other) return one === other;
  return one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
}

function Picture({
  base64,
  name,
  kind,
  box,
  words,
  widthPx,
}: Pick<ArtworkProps, "base64" | "name" | "box" | "words" | "widthPx"> & { kind: "jpeg" | "png" }) {
  const { href, failed } = usePicture(base64, kind, widthPx);
  if (href === null) {
    return (
      <Placeholder
        box={box}
        words={words}
        lines={[failed ? "This image cannot be shown" : "Loading the image", formatFileName(name)]}
      />
    );
  }
  return (
    <image
      href={href}
      x={round(box.x)}
      y={round(box.y)}
      width={round(box.width)}
      height={round(box.height)}
      preserveAspectRatio="xMidYMid slice"
    />
  );
}

function PdfArtwork({ base64, name, pages, box, words, widthPx }: ArtworkProps) {
  const opening = usePdf(base64);
  return (
    <PdfPageImage
      opening={opening}
      file={{ base64, name, pages }}
      page={1}
      box={box}
      words={words}
      widthPx={widthPx}
    />
  );
}
