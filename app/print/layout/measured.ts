import { formatIsoDay } from "~/platform/time";
import { formatDay } from "~/ui/moment";
import type { PdfContent } from "~/ui/pdf/pdf-file";
import { type Box, findLetterPage, findPostcard } from "./geometry";
import { fillText, layoutBack, layoutLetterAddress, listAddressLines, type PlacedLine } from "./layout";
import type { Measured, PreviewState, Shift } from "./preview-content";

/** Lines found further from where they are expected belong to the artwork. */
const MOST_MOVED_PT = 144;
const LEAST_CHARS = 3;

/** Finds address and message of a piece in the provider's PDF of its test, which has all sides; null when neither is there. */
export function measureTest(content: PdfContent, tested: PreviewState, at: number): Measured | null {
  const state = { ...tested, measured: null };
  const isLetter = state.kind === "letter";
  const piece = isLetter ? findLetterPage(state.home) : findPostcard(state.size, "back");
  const page = content.pages[isLetter ? 0 : 1];
  if (!piece || !page) return null;
  // The file may have the bleed.
  const [left, top] = [(page.width - piece.trim.width) / 2, (page.height - piece.trim.height) / 2];
  const find = (text: string, [expected]: readonly PlacedLine[]): Shift | null => {
    if (!expected || expected.rightToLeft) return null;
    const shifts = page.texts
      .filter((found) => isStart(text, found.text))
      .map(({ x, y, height }: Box) => ({
        right: x - left - expected.x,
        down: y + height - top - expected.baseline,
      }));
    return shifts.find(({ right, down }) => Math.hypot(right, down) < MOST_MOVED_PT) ?? null;
  };
  const back = isLetter ? null : layoutBack(piece, state);
  const address = listAddressLines(state).join("\n");
  const addressLines = (back?.address ?? layoutLetterAddress(address, state)).lines;
  const measured = {
    address: find(address, addressLines),
    message: back && find(fillText(state).text, back.message.lines),
  };
  return measured.address || measured.message ? { at, ...measured } : null;
}

function isStart(text: string, found: string): boolean {
  const [line = "", part = ""] = [text, found].map((one) => one.trim().replace(/\s+/g, " ").toLowerCase());
  return part.length >= LEAST_CHARS && line.startsWith(part);
}

/** Parses a result of {@link measureTest} from JSON; null for anything else. */
export function parseMeasured(json: string): Measured | null {
  try {
    const { at, address, message } = JSON.parse(json);
    const isShift = (shift: Shift | null) =>
      shift === null || (Number.isFinite(shift.right) && Number.isFinite(shift.down));
    return Number.isFinite(at) && isShift(address) && isShift(message) ? { at, address, message } : null;
  } catch {
    return null;
  }
}

export function formatMeasured({ at, address, message }: Measured): string {
  const names = [...(address ? ["address"] : []), ...(message ? ["message"] : [])].join(" and ");
  return `${names.charAt(0).toUpperCase()}${names.slice(1)}: ${formatMeasuredOn(at)}.`;
}

export function formatMeasuredOn(at: number): string {
  return `measured ${formatDay(formatIsoDay(at))}`;
}
