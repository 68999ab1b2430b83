import { parseVariables } from "../merge/merge";
import { findPostcard } from "./geometry";
import { type BackLayout, layoutBack, listAddressLines, parseTextStyle, type TextBlock } from "./layout";
import { layoutLetterAddress, layoutLetterText } from "./letter-layout";
import type { PreviewState } from "./preview-content";

/** Something to know before this is printed. */
export interface Finding {
  /** `warn`: it would be printed wrong; `info`: the proof cannot show it. */
  tone: "warn" | "info";
  text: string;
}

/** The provider's documented most (provider-api.md §3.2). */
const MOST_LETTER_PAGES = 10;

/** What would go wrong in print, or cannot be shown, one sentence each; the worst first. */
export function listFindings(state: PreviewState): Finding[] {
  return state.kind === "letter" ? listLetterFindings(state) : listPostcardFindings(state);
}

function listPostcardFindings(state: PreviewState): Finding[] {
  const piece = findPostcard(state.size, "back");
  if (!piece) return [];
  const layout = layoutBack(piece, state);
  return [
    ...warn(describeOverflow(layout.message)),
    ...warn(describeUnknown(layout.unknown, state)),
    ...warn(describeInvisible(state)),
    ...warn(describeAddressOverflow(layout.address)),
    ...warn(describeCovered(state, layout)),
    ...listRecipientFindings(state),
    ...info(describeTemplate(state)),
    ...info(describeLostVariables(state)),
    ...info(
      piece.size === "6x4" ? "The back of a 6x4 lies: the post reads addresses along the long edge." : "",
    ),
  ];
}

function listLetterFindings(state: PreviewState): Finding[] {
  const fromText = state.template === "" && state.file === null;
  const layout = layoutLetterText(state);
  const address = layoutLetterAddress(listAddressLines(state).join("\n"), state.home);
  const pages = fromText ? layout.pages.length : (state.file?.pages ?? 1);
  return [
    ...warn(fromText ? describeUnknown(layout.unknown, state) : ""),
    ...warn(describeAddressOverflow(address)),
    ...warn(
      pages > MOST_LETTER_PAGES
        ? `${pages} pages: the provider documents ${MOST_LETTER_PAGES} as the most.`
        : "",
    ),
    ...listRecipientFindings(state),
    ...info(describeTemplate(state)),
    ...info(describeLostVariables(state)),
  ];
}

/** How many lines of a message are lost: `3 lines do not fit and would be cut`. "" when none is. */
function describeOverflow({ cut }: TextBlock): string {
  if (cut.length === 0) return "";
  return `${countWord(cut.length, "line does", "lines do")} not fit and would be cut.`;
}

function describeUnknown(unknown: readonly string[], { recipientId }: PreviewState): string {
  if (unknown.length === 0) return "";
  const names = unknown.map((name) => `{${name}}`).join(", ");
  const why =
    recipientId === "" ? "" : " A recipient's ID brings no details along: give new details, or write it out.";
  return `Nothing fills ${names}: it would be printed as it stands.${why}`;
}

function describeInvisible(state: PreviewState): string {
  const { colour } = parseTextStyle(state);
  const white = /^(white|#fff|#ffffff)$/i.test(colour);
  return white && state.text !== "" && state.back === null ? "White text on white paper cannot be seen." : "";
}

function describeAddressOverflow({ cut }: TextBlock): string {
  if (cut.length === 0) return "";
  return `The address is too long for its area (approximate): ${countWord(cut.length, "line does", "lines do")} not fit.`;
}

function describeCovered(state: PreviewState, { address }: BackLayout): string {
  if (state.clearzone || state.back === null || address.lines.length === 0) return "";
  return "Clear zones are off: the back's artwork stays behind the address, and machines may not read it.";
}

function listRecipientFindings({ recipient, recipientId }: PreviewState): Finding[] {
  if (!recipient && recipientId !== "") {
    return info(
      `Recipient ${recipientId} is not in the loaded list; the provider prints the address it holds.`,
    );
  }
  if (recipientId !== "" && !recipient?.postcode) {
    return info("The list of recipients has no postcode; the provider prints the address it holds.");
  }
  return [];
}

function describeTemplate({ kind, template, front, file }: PreviewState): string {
  if (template === "") return "";
  const own = kind === "letter" ? file : front;
  return `Template ${template} is drawn by the provider; ${own ? "your own artwork" : "only what is printed over it"} is shown here.`;
}

/** They reach a template inside the recipient's details (provider-api.md §3.1), of which an ID has none. */
function describeLostVariables({ template, recipientId, variables }: PreviewState): string {
  if (template === "" || recipientId === "" || parseVariables(variables).size === 0) return "";
  return "The variables reach a template with a new recipient's details only; with an ID it is filled from what the provider holds.";
}

function countWord(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function warn(text: string): Finding[] {
  return text === "" ? [] : [{ tone: "warn", text }];
}

function info(text: string): Finding[] {
  return text === "" ? [] : [{ tone: "info", text }];
}
