import { parsePaddingMm, type Side } from "../layout/geometry";
import { listAddressLines, parseTextStyle, type TextBlock } from "../layout/layout";
import type { PreviewFile, PreviewState } from "../layout/preview-content";
import { formatPdf } from "../messages";
import { findArtworkKind, isRemote } from "./artwork";
import type { DrawingOptions, Layer } from "./preview-view";

const LONGEST_QUOTE = 600;

/** The text alternative of one side of a postcard; hidden layers are left out. */
export function formatPostcardAltText(
  state: PreviewState,
  side: Side,
  message: TextBlock,
  layers: readonly Layer[],
): string {
  const parts =
    side === "front"
      ? [formatArtwork(state.front), parsePaddingMm(state.padding) > 0 ? "a white border" : ""]
      : [
          state.back ? formatArtwork(state.back) : "",
          layers.includes("message") ? formatMessage(state, message) : "",
          state.signature && layers.includes("signature") ? "a signature" : "",
          layers.includes("address") ? formatAddressee(listAddressLines(state)) : "",
        ];
  const template = state.template === "" ? "" : `, template ${state.template}`;
  const subject = `${side === "front" ? "Front" : "Back"} of a ${state.size} postcard${template}`;
  return formatSentence(subject, parts, state.test);
}

/** The text alternative of one page of a letter. `text` and `address` are lines joined by line ends. */
export function formatLetterPageAltText(
  number: number,
  text: string,
  address: string,
  { test, layers }: Pick<DrawingOptions, "test" | "layers">,
): string {
  const parts = [
    text !== "" && layers.includes("message") ? `the text "${shorten(text)}"` : "",
    number === 1 && layers.includes("address") ? formatAddressee(address.split("\n")) : "",
  ];
  return formatSentence(`Page ${number} of the letter`, parts, test);
}

function formatSentence(subject: string, parts: string[], test: boolean): string {
  const filled = parts.filter((part) => part !== "");
  return `${subject}: ${filled.length > 0 ? filled.join("; ") : "empty"}.${test ? " Stamped SPECIMEN." : ""}`;
}

function formatArtwork(file: PreviewFile | null): string {
  if (!file) return "no artwork";
  if (isRemote(file.base64)) return `artwork from ${file.base64}`;
  const kind = findArtworkKind(file.base64);
  return kind === "pdf" ? `${formatPdf(file.pages)}, ${file.name}` : `image ${file.name}`;
}

function formatMessage(state: PreviewState, message: TextBlock): string {
  if (message.lines.length === 0) return "";
  const { font, sizePt, colour } = parseTextStyle(state);
  return `message in ${font || "Arial"} ${sizePt} pt ${colour}, "${shorten(message.lines.map((line) => line.text).join(" "))}"`;
}

function shorten(text: string): string {
  const short = text.slice(0, LONGEST_QUOTE).replace(/\s+/g, " ").trim();
  return text.length > LONGEST_QUOTE ? `${short}…` : short;
}

function formatAddressee(lines: readonly string[]): string {
  return lines.join("") !== "" ? `addressed to ${lines.join(", ")}` : "no address yet";
}
