import { useMemo } from "react";
import { POINTS_PER_INCH, PRINT_DPI } from "../artwork/print-quality";
import { formatPostcardAltText } from "../layout/alt-text";
import {
  type Box,
  findPostcard,
  type PieceGeometry,
  parsePaddingMm,
  placeArtwork,
  type Side,
} from "../layout/geometry";
import { LAYERS, type Layer } from "../layout/layers";
import { type BackLayout, layoutBack } from "../layout/layout";
import type { PreviewState } from "../layout/preview-content";
import { formatTemplatePlaceholder } from "../messages";
import { ArtworkImage } from "./artwork-image";
import { Drawing, type Pen } from "./drawing";
import { PREVIEW_PX, type Zoom } from "./preview-view";
import { Block, ClearZone, Mark, Outline, PAPER, Placeholder, SpecimenStamp, ZoneNumber } from "./svg-parts";

/** One side of a postcard as it will be printed. Draws nothing for an unknown size. */
export function PostcardPreview({
  state,
  side,
  layers = LAYERS,
  zoom = "fit",
  marks = [],
}: {
  state: PreviewState;
  side: Side;
  layers?: readonly Layer[];
  zoom?: Zoom;
  /** Places with faults, on the back. */
  marks?: readonly Box[];
}) {
  const layout = useMemo(() => {
    const piece = findPostcard(state.size, "back");
    return piece && layoutBack(piece, state);
  }, [state]);
  const piece = useMemo(() => findPostcard(state.size, side), [state.size, side]);
  if (!piece || !layout) return null;
  const widthPx =
    zoom === "pixels" ? Math.round((piece.bleed.width / POINTS_PER_INCH) * PRINT_DPI) : PREVIEW_PX;
  const shared = { state, piece, layers, widthPx };
  return (
    <Drawing
      piece={piece}
      layers={layers}
      zoom={zoom}
      label={formatPostcardAltText(state, side, layout.message, layers)}
    >
      {(pen) => (
        <>
          {side === "front" ? (
            <Front {...shared} pen={pen} />
          ) : (
            <Back {...shared} layout={layout} pen={pen} />
          )}
          {layers.includes("safe") ? <Outline layer="safe" box={piece.safe} unit={pen.unit * 1.2} /> : null}
          {layers.includes("trim") ? <Outline layer="trim" box={piece.trim} unit={pen.unit} /> : null}
          {side === "back"
            ? marks.map((box) => <Mark key={`${box.x} ${box.y}`} box={box} unit={pen.unit} />)
            : null}
          {state.test ? <SpecimenStamp box={piece.trim} /> : null}
        </>
      )}
    </Drawing>
  );
}

interface SideProps {
  state: PreviewState;
  piece: PieceGeometry;
  layers: readonly Layer[];
  widthPx: number;
  pen: Pen;
}

function Front({ state, piece, layers, widthPx, pen }: SideProps) {
  const paddingMm = parsePaddingMm(state.padding);
  const box = useMemo(() => placeArtwork(piece, paddingMm), [piece, paddingMm]);
  return (
    <>
      {state.front ? (
        <ArtworkImage {...state.front} box={box} widthPx={widthPx} />
      ) : (
        <Placeholder
          box={box}
          lines={state.template === "" ? ["No front artwork yet"] : formatTemplatePlaceholder(state.template)}
        />
      )}
      {layers.includes("padding") && paddingMm > 0 ? (
        <Outline layer="padding" box={box} unit={pen.unit} />
      ) : null}
    </>
  );
}

function Back({ state, piece, layers, widthPx, layout, pen }: SideProps & { layout: BackLayout }) {
  const { places, message, address } = layout;
  // In the order of CLEAR_ZONES.
  const zones = [places.address, places.barcode, places.postage];
  const words = useMemo(() => placeWords(places.message, message.lines.length > 0), [places, message]);
  return (
    <>
      {state.back ? <ArtworkImage {...state.back} box={piece.bleed} words={words} widthPx={widthPx} /> : null}
      {state.clearzone
        ? zones.map((zone) => <rect key={`${zone.x} ${zone.y}`} {...zone} fill={PAPER} />)
        : null}
      {layers.includes("clear")
        ? zones.map((zone) => (
            <ClearZone key={`${zone.x} ${zone.y}`} box={zone} hatch={pen.hatch} unit={pen.unit} />
          ))
        : null}
      {layers.includes("message") ? (
        <>
          <Outline layer="message" box={places.message} unit={pen.unit * 0.7} />
          <Block block={message} unit={pen.unit} until={piece.trim.height} />
        </>
      ) : null}
      {state.signature && layers.includes("signature") ? (
        <>
          <ArtworkImage {...state.signature} box={places.signature} widthPx={widthPx} />
          <Outline layer="signature" box={places.signature} unit={pen.unit} />
        </>
      ) : null}
      {layers.includes("clear")
        ? zones.map((zone, at) => (
            <ZoneNumber key={`${zone.x} ${zone.y}`} box={zone} sizePt={pen.labelPt}>
              {at + 1}
            </ZoneNumber>
          ))
        : null}
      {layers.includes("address") ? <Block block={address} unit={pen.unit} until={places.barcode.y} /> : null}
    </>
  );
}

/** Places the text that replaces the back's artwork: beside the clear zones and below the message's first half. */
function placeWords(area: Box, written: boolean): Box {
  return written ? { ...area, y: area.y + area.height / 2, height: area.height / 2 } : area;
}
