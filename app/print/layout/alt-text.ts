import type { Layer } from "../preview/preview-view";
import { describePdf, findArtworkKind, isRemote } from "./artwork";
import { parsePaddingMm, type Side } from "./geometry";
import { listAddressLines, parseTextStyle, type TextBlock } from "./layout";
import type { PreviewFile, PreviewState } from "./preview-content";

const LONGEST_QUOTE = 600;

/** What is on one side of a postcard, for who cannot see the drawing; what is switched off is left out. */
export function describePostcard(
  state: PreviewState,
  side: Side,
  message: TextBlock,
  layers: readonly Layer[],
): string {
  const parts =
    side === "front"
      ? [describeArtwork(state.front), parsePaddingMm(state.padding) > 0 ? "a white border" : ""]
      : [
          state.back ? describeArtwork(state.back) : "",
          layers.includes("message") ? describeMessage(state, message) : "",
          state.signature && layers.includes("signature") ? "a signature" : "",
          layers.includes("address") ? describeAddress(listAddressLines(state)) : "",
        ];
  return sentence(
    `${side === "front" ? "Front" : "Back"} of a ${state.size} postcard${state.template === "" ? "" : `, template ${state.template}`}`,
    parts,
    state.test,
  );
}

/** What is on one page of a letter. `text` and `address` are lines joined by line ends. */
export function describeLetterPage({
  number,
  text,
  address,
  test,
  layers,
}: {
  number: number;
  text: string;
  address: string;
  test: boolean;
  layers: readonly Layer[];
}): string {
  const parts = [
    text !== "" && layers.includes("message") ? `the text "${shorten(text)}"` : "",
    number === 1 && layers.includes("address") ? describeAddress(address.split("\n")) : "",
  ];
  return sentence(`Page ${number} of the letter`, parts, test);
}

/** What stands where a template's design would. */
export function describeTemplate(template: string): string[] {
  return [`Template ${template}`, "drawn by the provider"];
}

function sentence(what: string, parts: string[], test: boolean): string {
  const said = parts.filter((part) => part !== "");
  return `${what}: ${said.length > 0 ? said.join("; ") : "empty"}.${test ? " Stamped SPECIMEN." : ""}`;
}

function describeArtwork(file: PreviewFile | null): string {
  if (!file) return "no artwork";
  if (isRemote(file.base64)) return `artwork from ${file.base64}`;
  const kind = findArtworkKind(file.base64);
  if (kind === "pdf") return `${describePdf(file.pages)}, ${file.name}`;
  return `image ${file.name}`;
}

function describeMessage(state: PreviewState, message: TextBlock): string {
  if (message.lines.length === 0) return "";
  const { font, sizePt, colour } = parseTextStyle(state);
  return `message in ${font || "Arial"} ${sizePt} pt ${colour}, "${shorten(message.lines.map((line) => line.text).join(" "))}"`;
}

function shorten(text: string): string {
  const short = text.slice(0, LONGEST_QUOTE).replace(/\s+/g, " ").trim();
  return text.length > LONGEST_QUOTE ? `${short}…` : short;
}

function describeAddress(lines: readonly string[]): string {
  return lines.join("") !== "" ? `addressed to ${lines.join(", ")}` : "no address yet";
}
