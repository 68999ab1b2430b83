import { type FileRule, findSizeProblem } from "./file-rules";
import { readJpeg } from "./jpeg";
import { findKind, hidesPdf, nameForeignKind } from "./kind";
import { readPdf } from "./pdf";
import { readPng } from "./png";
import { type FileVerdict, type PictureSize, type Refusal, refuse, refuseUnprocessed } from "./verdict";

/**
 * Whether a file may stand in a field, by its content alone (spec §5 Images; security.md row 18); the same in the
 * browser and on the server. Looks at each byte once at most, and neither decodes pictures nor unpacks streams.
 */
export function checkFile(bytes: Uint8Array, rule: FileRule): FileVerdict {
  if (bytes.length === 0) return refuseUnprocessed("The file is empty");
  const kind = findKind(bytes);
  if (kind === null || !rule.kinds.includes(kind)) return refuse(...explainKind(bytes, kind, rule));
  const tooLarge = findSizeProblem(bytes.length);
  if (tooLarge !== null) return refuse(tooLarge);
  if (kind === "pdf") {
    const facts = readPdf(bytes);
    return "ok" in facts ? facts : { ok: true, file: { kind, bytes: bytes.length, ...facts } };
  }
  if (hidesPdf(bytes)) {
    return refuse(rule.wrongKind, "It is a picture and a PDF in one: save it as one of them");
  }
  const size: PictureSize | Refusal = kind === "jpeg" ? readJpeg(bytes) : readPng(bytes);
  if ("ok" in size) return size;
  const misfits = listMisfits(size, rule.pixels);
  if (misfits.length > 0) return refuse(...misfits);
  return { ok: true, file: { kind, bytes: bytes.length, ...size } };
}

function explainKind(bytes: Uint8Array, kind: string | null, rule: FileRule): string[] {
  const name = kind === null ? nameForeignKind(bytes) : kind.toUpperCase();
  return name === null ? [rule.wrongKind] : [rule.wrongKind, `By its content it is ${name}`];
}

function listMisfits(size: PictureSize, wanted: FileRule["pixels"]): string[] {
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
