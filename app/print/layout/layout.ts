import { fillVariables, MAX_MERGED_CHARS, type Merged } from "../merge/merge";
import { formatAddress } from "./address";
import { type Box, findLetterPage, type PieceGeometry, placeBack } from "./geometry";
import { breakLines, isMeasured, isRightToLeft, measureText } from "./measure-text";
import type { PreviewState, Shift } from "./preview-content";
import { findTypeface } from "./typefaces";

export interface PlacedLine {
  text: string;
  /** The start of the line: its left end, or its right end for right-to-left text. */
  x: number;
  baseline: number;
  /** Its width, or null when that is only an estimate. */
  width: number | null;
  rightToLeft: boolean;
}

/** A block of text: the lines that fit its box and those that would be cut. */
export type TextBlock = ReturnType<typeof layoutBlock>;

const ROUNDING_PT = 0.01;
const DEFAULT_SIZE_PT = 12;
const LARGEST_SIZE_PT = 72;
/** Approximate: the provider does not publish how it prints addresses. */
const ADDRESS_TYPE = { font: "Arial", sizePt: 10.5, colour: "black" };
const ADDRESS_INSET_PT = { x: 18, y: 20 };
const WINDOW_INSET_PT = { x: 6, y: 6 };

/** Parses the message's text style from its form values; the default is 12 pt black Arial. */
export function parseTextStyle({ font, fontSize, fontColour }: PreviewState) {
  const size = Number(fontSize);
  return {
    font,
    sizePt: fontSize.trim() !== "" && size > 0 ? Math.min(size, LARGEST_SIZE_PT) : DEFAULT_SIZE_PT,
    colour: /^(#[0-9a-f]{3}|#[0-9a-f]{6}|[a-z]{3,20})$/i.test(fontColour) ? fontColour : "black",
  };
}

export function layoutBlock(
  text: string,
  { font, sizePt, colour }: ReturnType<typeof parseTextStyle>,
  box: Box,
) {
  const texts = breakLines(font, sizePt, text, box.width);
  const face = findTypeface(font);
  const lineHeight = face.leading * sizePt;
  const above = (lineHeight - (face.ascent + face.descent) * sizePt) / 2 + face.ascent * sizePt;
  const lines = texts.map((line, at): PlacedLine => {
    const rightToLeft = isRightToLeft(line);
    return {
      text: line,
      x: rightToLeft ? box.x + box.width : box.x,
      baseline: box.y + above + at * lineHeight,
      width: isMeasured(font, line) ? measureText(font, sizePt, line) : null,
      rightToLeft,
    };
  });
  const bottom = box.y + box.height + ROUNDING_PT;
  const fits = (line: PlacedLine) => line.baseline + face.descent * sizePt <= bottom;
  const first = lines.findIndex((line) => !fits(line));
  const end = first === -1 ? lines.length : first;
  return {
    box,
    lines: lines.slice(0, end),
    // Losing blank lines at the end does not matter.
    cut: lines.slice(end).some((line) => line.text !== "") ? lines.slice(end) : [],
    family: face.family,
    sizePt,
    colour,
  };
}

/** Lays out text and areas of a postcard's back, without its artwork. `unknown` are merge variables without a value. */
export function layoutBack(piece: PieceGeometry, state: PreviewState) {
  const { measured } = state;
  const places = placeBack(piece, state.signature !== null);
  const messageBox = shiftBox(places.message, measured?.message);
  const merged = fillText(state);
  const address = listAddressLines(state).join("\n");
  return {
    places: { ...places, message: messageBox },
    message: layoutBlock(merged.text, parseTextStyle(state), messageBox),
    address: layoutAddress(address, places.address, ADDRESS_INSET_PT, measured),
    unknown: merged.unknown,
  };
}

/** Fills the variables as the server does. The drawn text is limited to the length of a letter. */
export function fillText({ text, recipient, variables }: PreviewState): Merged {
  const merged = fillVariables(text, recipient, variables);
  return { ...merged, text: merged.text.slice(0, MAX_MERGED_CHARS) };
}

/** Finds the text that a letter's PDF is made from; null when it has a template or a PDF of its own. */
export function findLetterText(state: PreviewState): string | null {
  const { kind, template, file } = state;
  return kind === "letter" && template === "" && file === null ? fillText(state).text : null;
}

/** Places an address (lines joined by line ends) in the window of a letter's envelope. */
export function layoutLetterAddress(
  address: string,
  { home, measured }: Pick<PreviewState, "home" | "measured">,
): TextBlock {
  return layoutAddress(address, findLetterPage(home).window, WINDOW_INSET_PT, measured);
}

function layoutAddress(
  address: string,
  area: Box,
  insets: { x: number; y: number },
  measured: PreviewState["measured"],
): TextBlock {
  const box = {
    x: area.x + insets.x,
    y: area.y + insets.y,
    width: area.width - 2 * insets.x,
    height: area.height - insets.y,
  };
  return layoutBlock(address, ADDRESS_TYPE, shiftBox(box, measured?.address));
}

function shiftBox(box: Box, shift: Shift | null = null): Box {
  const { right, down } = shift ?? { right: 0, down: 0 };
  return { x: box.x + right, y: box.y + down, width: box.width - right, height: box.height - down };
}

/** Lists the lines of the address, or `Recipient 12` when only the ID is known. */
export function listAddressLines({ recipient, recipientId, home }: PreviewState): string[] {
  if (recipient) return formatAddress(recipient, home);
  return recipientId === "" ? [] : [`Recipient ${recipientId}`];
}
