import {
  type CheckedFile,
  type FileCheck,
  type PictureSize,
  type Refusal,
  refuse,
  refuseUnprocessed,
} from "./checked-file";
import { type FileRule, findSizeProblem } from "./file-rules";
import { findForeignKindName, findKind, hidesPdf } from "./kind";
import { EMPTY_FILE, formatActualKind, formatWrongSide, IMAGE_AND_PDF } from "./messages";
import { parseJpeg } from "./parse-jpeg";
import { findPdfProblem } from "./parse-pdf";
import { parsePng } from "./parse-png";

/**
 * Checks a file by its content against the rule of its field, the same way in the browser and on the server. Looks at
 * each byte at most once and neither decodes images nor unpacks streams, so a hostile file costs no more than its size.
 */
export function checkFile(bytes: Uint8Array, rule: FileRule): FileCheck {
  const kind = checkStart(bytes, bytes.length, rule);
  if (typeof kind === "object") return kind;
  if (kind === "pdf") {
    return findPdfProblem(bytes) ?? { ok: true, file: { kind, bytes: bytes.length } };
  }
  if (hidesPdf(bytes)) {
    return refuse(rule.wrongKind, IMAGE_AND_PDF);
  }
  const size: PictureSize | Refusal = kind === "jpeg" ? parseJpeg(bytes) : parsePng(bytes);
  if ("ok" in size) return size;
  const misfits = listSizeMismatches(size, rule.pixels);
  if (misfits.length > 0) return refuse(...misfits);
  return { ok: true, file: { kind, bytes: bytes.length, ...size } };
}

/**
 * Checks a file's first bytes (1 KB or more) and returns its kind or a refusal. A file that is too large or of another kind
 * need not be read any further.
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
  return name === null ? [rule.wrongKind] : [rule.wrongKind, formatActualKind(name)];
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
    .map(([side, got, limit]) => formatWrongSide(side, wanted.fit, limit, got));
}
