import { POSTCARD_SIZES } from "~/catalogue/options";
import type { CheckedFile } from "~/print/artwork/checked-file";
import {
  findPagesProblem,
  findPdfAdvice,
  findShapeProblem,
  gradeResolution,
  toInches,
} from "~/print/artwork/print-quality";
import type { PieceSize, Side } from "~/print/layout/geometry";
import { PREVIEW_PX } from "~/print/preview/preview-view";
import { usePicture } from "~/print/preview/use-picture";
import { useHydrated } from "~/ui/use-hydrated";

const SIDES = ["front", "back"] as const;

/** Describes an attached file and its print quality at the chosen size. */
export function FileFacts({
  facts,
  base64,
  size,
  path,
  field,
}: {
  facts: CheckedFile;
  base64: string;
  size: string;
  path: string;
  field: string;
}) {
  const hydrated = useHydrated();
  const piece = POSTCARD_SIZES.find((known) => known === size);
  const side = findSide(path, field);
  const notes = side && piece ? listNotes(facts, piece, side) : listPageNotes(facts, path, side !== null);
  return (
    <div className="mt-1 flex items-start gap-3">
      {hydrated && facts.kind !== "pdf" ? <Thumbnail base64={base64} kind={facts.kind} /> : null}
      <ul className="text-small text-dim tabular-nums">
        <li>
          {measure(facts)}
          {side && piece ? `, ${gradeResolution(facts, piece, side).label}` : ""}
        </li>
        {notes.map((note) => (
          <li key={note} className="text-warn">
            {note}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Thumbnail({ base64, kind }: { base64: string; kind: "jpeg" | "png" }) {
  const { href } = usePicture(base64, kind, PREVIEW_PX);
  if (href === null) return null;
  return <img src={href} alt="" className="max-h-12 max-w-20 border border-line object-contain" />;
}

/** Recommends a file for sizes that an image cannot fill sharply. */
export function SizeAdvice({ size, path, field }: { size: string; path: string; field: string }) {
  const piece = POSTCARD_SIZES.find((known) => known === size);
  const advice = piece && findSide(path, field) ? findPdfAdvice(piece) : null;
  return advice ? <p className="mt-1 text-small text-warn">{advice}</p> : null;
}

function findSide(path: string, field: string): Side | null {
  return path === "postcards/create" ? (SIDES.find((side) => side === field) ?? null) : null;
}

function listNotes(facts: CheckedFile, piece: PieceSize, side: Side): string[] {
  const pdf = facts.kind === "pdf" ? null : findPdfAdvice(piece);
  return [findShapeProblem(facts, piece, side), findPagesProblem(facts, "postcard side"), pdf].filter(
    (note): note is string => note !== null,
  );
}

function listPageNotes(facts: CheckedFile, path: string, side: boolean): string[] {
  const place = side ? "postcard side" : path.startsWith("letters/") ? "letter" : null;
  const problem = place && findPagesProblem(facts, place);
  return problem ? [problem] : [];
}

function measure(facts: CheckedFile): string {
  if (facts.kind !== "pdf") return `${facts.kind.toUpperCase()}, ${facts.widthPx} x ${facts.heightPx} px`;
  const { pages, pageSizePt: page } = facts;
  return [
    "PDF",
    ...(pages === undefined ? [] : [`${pages} ${pages === 1 ? "page" : "pages"}`]),
    ...(page === undefined ? [] : [`${toInches(page.width)} x ${toInches(page.height)} in`]),
  ].join(", ");
}
