import {
  type CheckedFile,
  type FileCheck,
  type PictureSize,
  type Refusal,
  refuse,
  refuseUnprocessed,
} from "./file-check";
import { type FileRule, findSizeProblem } from "./file-rules";
import { parseJpeg } from "./jpeg";
import { findForeignKindName, findKind, hidesPdf } from "./kind";
import { parsePdf } from "./pdf";
import { parsePng } from "./png";

/** Said of a file without content, in whichever field. */
export const EMPTY_FILE = "The file is empty";

/**
 * Whether a file may stand in a field, by its content alone (spec §5 Images; security.md row 18); the same in the
 * browser and on the server. Looks at each byte once at most, and neither decodes pictures nor unpacks streams.
 */
export function checkFile(bytes: Uint8Array, rule: FileRule): FileCheck {
  const kind = checkStart(bytes, bytes.length, rule);
  if (typeof kind === "object") return kind;
  if (kind === "pdf") {
    const facts = parsePdf(bytes);
    return "ok" in facts ? facts : { ok: true, file: { kind, bytes: bytes.length, ...facts } };
  }
  if (hidesPdf(bytes)) {
    return refuse(rule.wrongKind, "It is a picture and a PDF in one: save it as one of them");
  }
  const size: PictureSize | Refusal = kind === "jpeg" ? parseJpeg(bytes) : parsePng(bytes);
  if ("ok" in size) return size;
  const misfits = listSizeMismatches(size, rule.pixels);
  if (misfits.length > 0) return refuse(...misfits);
  return { ok: true, file: { kind, bytes: bytes.length, ...size } };
}

/**
 * A file's kind by its start (1 KB or more), or what that and its whole size already say against it: a file that is
 * too large or of another kind need not be read.
 */
export function checkStart(
  start: Uint8Array,
  sizeBytes: number,
  rule: FileRule,
): CheckedFile["kind"] | Refusal {
  if (sizeBytes === 0) return refuseUnprocessed(EMPTY_FILE);
  const kind = findKind(start);
  if (kind === null || !rule.kinds.includes(kind)) return refuse(...formatWrongKind(start, kind, rule));
  const tooLarge = findSizeProblem(sizeBytes);
  return tooLarge === null ? kind : refuse(tooLarge);
}

function formatWrongKind(bytes: Uint8Array, kind: string | null, rule: FileRule): string[] {
  const name = kind === null ? findForeignKindName(bytes) : kind.toUpperCase();
  return name === null ? [rule.wrongKind] : [rule.wrongKind, `By its content it is ${name}`];
}

function listSizeMismatches(size: PictureSize, wanted: FileRule["pixels"]): string[] {
  if (!wanted) return [];
  const pairs = [
    ["Width", size.widthPx, wanted.widthPx],
    ["Height", size.heightPx, wanted.heightPx],
  ] as const;
  const exact = wanted.fit === "exactly";
  return pairs
    .filter(([, got, limit]) => (exact ? got !== limit : got > limit))
    .map(
      ([side, got, limit]) => `${side} must ${exact ? "be exactly" : "not exceed"} ${limit}px (got ${got}px)`,
    );
}
