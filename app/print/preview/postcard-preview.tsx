import { useMemo } from "react";
import {
  type Box,
  findPostcard,
  type PieceGeometry,
  parsePaddingMm,
  placeArtwork,
  type Side,
} from "../layout/geometry";
import { layoutBack } from "../layout/layout";
import type { PreviewState } from "../layout/preview-content";
import { formatTemplatePlaceholder } from "../messages";
import { formatPostcardAltText } from "./alt-text";
import { ArtworkImage } from "./artwork";
import { Drawing } from "./drawing";
import { type DrawingOptions, findDrawnPx } from "./preview-view";
import { Block, ClearZone, Outline, PAPER, Placeholder, Shown } from "./svg-parts";

/** One side of a postcard as it will be printed. Draws nothing for an unknown size. */
export function PostcardPreview({
  state,
  side,
  layers,
  zoom,
  marks,
}: Omit<DrawingOptions, "test"> & { state: PreviewState; side: Side }) {
  const layout = useMemo(() => {
    const piece = findPostcard(state.size, "back");
    return piece && layoutBack(piece, state);
  }, [state]);
  const piece = useMemo(() => findPostcard(state.size, side), [state.size, side]);
  if (!piece || !layout) return null;
  const shared = { state, piece, widthPx: findDrawnPx(zoom, piece.bleed.width) };
  return (
    <Drawing
      piece={piece}
      layers={layers}
      zoom={zoom}
      marks={side === "back" ? marks : []}
      test={state.test}
      label={formatPostcardAltText(state, side, layout.message, layers)}
    >
      {side === "front" ? <Front {...shared} /> : <Back {...shared} layout={layout} />}
    </Drawing>
  );
}

type SideProps = { state: PreviewState; piece: PieceGeometry; widthPx: number };

function Front({ state, piece, widthPx }: SideProps) {
  const paddingMm = parsePaddingMm(state.padding);
  const box = useMemo(() => placeArtwork(piece, paddingMm), [piece, paddingMm]);
  return (
    <>
      {state.front ? (
        <ArtworkImage file={state.front} box={box} widthPx={widthPx} />
      ) : (
        <Placeholder
          box={box}
          lines={state.template === "" ? ["No front artwork yet"] : formatTemplatePlaceholder(state.template)}
        />
      )}
      {paddingMm > 0 ? <Outline layer="padding" box={box} /> : null}
    </>
  );
}

function Back({ state, piece, widthPx, layout }: SideProps & { layout: ReturnType<typeof layoutBack> }) {
  const { places, message, address } = layout;
  // In the order of CLEAR_ZONES.
  const zones = [places.address, places.barcode, places.postage];
  const words = useMemo(() => placeWords(places.message, message.lines.length > 0), [places, message]);
  return (
    <>
      {state.back ? (
        <ArtworkImage file={state.back} box={piece.bleed} words={words} widthPx={widthPx} />
      ) : null}
      {state.clearzone
        ? zones.map((zone) => <rect key={`${zone.x} ${zone.y}`} {...zone} fill={PAPER} />)
        : null}
      {zones.map((zone, at) => (
        <ClearZone key={`${zone.x} ${zone.y}`} box={zone} number={at + 1} />
      ))}
      <Outline layer="message" box={places.message} />
      <Shown layer="message">
        <Block block={message} until={piece.trim.height} />
      </Shown>
      {state.signature ? (
        <Shown layer="signature">
          <ArtworkImage file={state.signature} box={places.signature} widthPx={widthPx} />
          <Outline layer="signature" box={places.signature} />
        </Shown>
      ) : null}
      <Shown layer="address">
        <Block block={address} until={places.barcode.y} />
      </Shown>
    </>
  );
}

/** Places the text that replaces the back's artwork: beside the clear zones and below the message's first half. */
function placeWords(area: Box, written: boolean): Box {
  return written ? { ...area, y: area.y + area.height / 2, height: area.height / 2 } : area;
}
