import { memo, useMemo } from "react";
import { describeUndrawn, findArtworkKind } from "../layout/artwork";
import type { Box } from "../layout/geometry";
import { Placeholder, round } from "./svg-parts";
import { PdfPageImage, usePdf } from "./uploaded-pdf";
import { usePicture } from "./use-picture";

interface ArtworkProps {
  /** The file's parts, not the file, so that the same content stays the same image. */
  base64: string;
  name: string;
  pages?: number;
  box: Box;
  /** How many pixels of a PDF to draw. */
  widthPx: number;
}

/** A JPG, a PNG or a PDF's first page, filling its box. Kept as it is until file or place change. */
export const ArtworkImage = memo(
  function ArtworkImage({ base64, name, pages, box, widthPx }: ArtworkProps) {
    const kind = useMemo(() => findArtworkKind(base64), [base64]);
    if (kind === "pdf") return <PdfArtwork {...{ base64, name, pages, box, widthPx }} />;
    if (kind === null) return <Placeholder box={box} lines={describeUndrawn({ base64, name })} />;
    return <Picture {...{ base64, name, kind, box, widthPx }} />;
  },
  (before, after) =>
    before.base64 === after.base64 &&
    before.name === after.name &&
    before.pages === after.pages &&
    before.widthPx === after.widthPx &&
    isSameBox(before.box, after.box),
);

function isSameBox(one: Box, other: Box): boolean {
  return one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
}

function Picture({
  base64,
  name,
  kind,
  box,
  widthPx,
}: Pick<ArtworkProps, "base64" | "name" | "box" | "widthPx"> & { kind: "jpeg" | "png" }) {
  const { href, failed } = usePicture(base64, kind, widthPx);
  if (href === null) {
    return (
      <Placeholder
        box={box}
        lines={[failed ? "This picture cannot be drawn" : "Drawing the picture", name]}
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

function PdfArtwork({ base64, name, pages, box, widthPx }: ArtworkProps) {
  const opening = usePdf(base64);
  return (
    <PdfPageImage opening={opening} file={{ base64, name, pages }} page={1} box={box} widthPx={widthPx} />
  );
}
