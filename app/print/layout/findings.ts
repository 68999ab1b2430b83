import { MAILING_SIZES } from "~/catalogue/options";
import type { PdfContent } from "~/ui/pdf/pdf-file";
import {
  findPagesProblem,
  findShapeProblem,
  gradeResolution,
  MOST_LETTER_PAGES,
} from "../artwork/print-quality";
import type { LetterPages } from "../letter/page";
import { formatNoValue, formatVariables, MAX_MERGED_CHARS, parseVariables } from "../merge/merge";
import {
  formatCutLines,
  formatFilledLater,
  formatMergedTooLong,
  formatTooManyLetterPages,
  formatUnprintable,
} from "../messages";
import { listAddressFaults, listUnprintable } from "./address";
import type { Finding } from "./finding";
import { findPostcard } from "./geometry";
import { fillText, layoutBack, layoutLetterAddress, listAddressLines, parseTextStyle } from "./layout";
import { listBackPdfFindings, listLetterPdfFindings } from "./pdf-findings";
import type { PreviewState } from "./preview-content";

/**
 * Lists what would print wrong, then what the preview cannot show.
 * @param letter the pages of a letter's text; null when the piece is not made from text
 * @param pdf content of the letter's PDF or the postcard back's; null until it is read
 */
export function listFindings(state: PreviewState, letter: LetterPages | null, pdf: PdfContent | null = null) {
  return state.kind === "letter" ? listLetterFindings(state, letter, pdf) : listPostcardFindings(state, pdf);
}

function listPostcardFindings(state: PreviewState, pdf: PdfContent | null): Finding[] {
  const piece = findPostcard(state.size, "back");
  if (!piece) return [];
  const { message, address, unknown } = layoutBack(piece, state);
  const covered = !state.clearzone && state.back !== null;
  const unprintable = listUnprintable(fillText(state).text);
  return [
    ...warn(message.cut.length > 0, "message_cut", formatCutLines(message.cut.length), "message"),
    ...listNoValue(unknown, state, "message"),
    ...warn(
      isInvisible(state),
      "white_on_white",
      "White text on white paper will be invisible.",
      "font_colour",
    ),
    ...warn(unprintable.length > 0, "unprintable", formatUnprintable(unprintable), "message"),
    ...listAddressFindings(state, address.cut.length),
    ...warn(
      covered,
      "clear_zones_off",
      "Clear zones are off. Sorting machines may not read the address on top of your artwork.",
      "clearzone",
    ),
    ...(["front", "back"] as const).flatMap((side) => listFileFindings(state, side)),
    ...(pdf ? listBackPdfFindings(pdf, state.size, state.clearzone) : []),
    ...listSharedFindings(state),
    ...info(
      piece.size === "6x4",
      "sideways_back",
      "The back of a 6x4 is printed sideways: addresses run along the long edge.",
    ),
  ];
}

/** Lists the faults of a side's file: what is cut off, how sharp it prints where it is placed, its colours and pages. */
function listFileFindings(state: PreviewState, side: "front" | "back"): Finding[] {
  const facts = state[side]?.facts;
  const size = MAILING_SIZES.find((known) => known === state.size);
  if (!facts || !size) return [];
  const shape = findShapeProblem(facts, size, side);
  const { grade, label } = gradeResolution(facts, size, side);
  const pages = findPagesProblem(facts, "postcard side");
  const name = side === "front" ? "Front" : "Back";
  const isCmyk = facts.kind !== "pdf" && facts.isCmyk === true;
  return [
    ...warn(shape !== null, "picture_shape", `${name}: ${shape}`, side),
    ...warn(grade === "blurry", "picture_blurry", `${name}: ${label}.`, side),
    ...warn(
      isCmyk,
      "picture_colours",
      `${name}: The image has CMYK colours, which may change in print. Save it as RGB.`,
      side,
    ),
    ...warn(pages !== null, "pages_per_side", `${name}: ${pages}`, side),
  ];
}

function listLetterFindings(state: PreviewState, letter: LetterPages | null, pdf: PdfContent | null) {
  const address = layoutLetterAddress(listAddressLines(state).join("\n"), state);
  const pages = letter?.drawing.total ?? state.file?.pages ?? 1;
  const missing = letter?.drawing.missing ?? [];
  // The report counts the pages of a PDF itself.
  const tooMany = !pdf?.total && pages > MOST_LETTER_PAGES;
  const field = state.file ? "file" : "content";
  return [
    ...(letter ? listNoValue(fillText(state).unknown, state, "content") : []),
    ...(letter?.problem ? warn(true, "not_laid_out", letter.problem, "content") : []),
    ...warn(missing.length > 0, "unprintable", formatUnprintable(missing), "content"),
    ...listAddressFindings(state, address.cut.length),
    ...warn(tooMany, "too_many_pages", formatTooManyLetterPages(pages, MOST_LETTER_PAGES), field),
    ...(pdf ? listLetterPdfFindings(pdf, state.home) : []),
    ...listSharedFindings(state),
  ];
}

function listNoValue(unknown: readonly string[], { recipient, recipientId }: PreviewState, field: string) {
  // The server loads a saved recipient that is not in the loaded list.
  const later = recipient === null && recipientId !== "";
  const hasNoRecipient = recipient === null && recipientId === "";
  return [
    ...warn(unknown.length > 0 && recipient !== null, "no_value", formatNoValue(unknown), field),
    ...info(unknown.length > 0 && hasNoRecipient, "filled_by_recipient", formatFilledByRecipient(unknown)),
    ...info(unknown.length > 0 && later, "filled_later", formatFilledLater(unknown, recipientId)),
  ];
}

/** Checks typed addresses only: the provider checks a saved recipient's. */
function listAddressFindings({ recipient, recipientId, home }: PreviewState, cutLines: number): Finding[] {
  const isTyped = recipient !== null && recipientId === "";
  const faults = isTyped ? listAddressFaults(recipient, home) : [];
  const lines = cutLines === 1 ? "1 line does" : `${cutLines} lines do`;
  const tooLong = `The address is too long for its area (approximate): ${lines} not fit.`;
  const cut = warn(cutLines > 0, "address_cut", tooLong, "recipient_address1");
  return [...faults.map((fault) => ({ ...fault, field: `recipient_${fault.field}` })), ...cut];
}

function isInvisible(state: PreviewState): boolean {
  const white = /^(white|#fff|#ffffff)$/i.test(parseTextStyle(state).colour);
  return white && state.text !== "" && state.back === null;
}

function listSharedFindings(state: PreviewState): Finding[] {
  const { kind, recipient, recipientId, template, variables } = state;
  const saved = recipientId !== "";
  // A letter from a template is not drawn at all, not even its file or text.
  const drawn = kind === "letter" ? null : state.front ? "artwork" : "overlay";
  // Variables reach a template inside the recipient's details, and an ID is sent without details.
  const lost = template !== "" && saved && parseVariables(variables).size > 0;
  const { tooLong = 0 } = fillText(state);
  const long = formatMergedTooLong("The text", tooLong, MAX_MERGED_CHARS);
  return [
    ...warn(tooLong > 0, "merged_too_long", long, kind === "postcard" ? "message" : "content"),
    ...info(
      saved && !recipient,
      "unlisted_recipient",
      `Recipient ${recipientId} is not in the loaded list. The provider prints the address it has saved.`,
    ),
    ...info(
      saved && recipient !== null && !recipient.postcode,
      "no_postcode",
      "The recipient list shows no postcode. The provider prints the address it has saved.",
    ),
    ...info(template !== "", "template_hidden", formatHiddenTemplate(template, drawn)),
    ...info(
      lost,
      "variables_lost",
      "Variables reach a template only with a new recipient. For a saved recipient the provider fills in its own data.",
    ),
  ];
}

function warn(applies: boolean, code: string, text: string, field: string): Finding[] {
  return applies ? [{ code, tone: "warn", text, field }] : [];
}

function info(applies: boolean, code: string, text: string): Finding[] {
  return applies ? [{ code, tone: "info", text, field: null }] : [];
}

function formatFilledByRecipient(names: readonly string[]): string {
  return `Choose a recipient to see what fills ${formatVariables(names)}.`;
}

/** @param shown what the preview draws instead; null: nothing of the content */
function formatHiddenTemplate(template: string, shown: "artwork" | "overlay" | null): string {
  const here = {
    artwork: " Here you see your own artwork.",
    overlay: " Here you see only what is printed on top of it.",
  };
  return `The provider draws template ${template} in its PDF. Send a test to see it.${shown ? here[shown] : ""}`;
}
