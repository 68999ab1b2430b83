import { POSTCARD_SIZES } from "~/catalogue/options";
import {
  computeDpi,
  findMisfit,
  findPagesProblem,
  type PieceSize,
  recommendPdf,
} from "~/sending/artwork/print-quality";
import type { CheckedFile } from "~/sending/artwork/verdict";
import { useHydrated } from "~/ui/hydrated";

const SIDES = ["front", "back"];

/** What an attached file is, and how it will print at the chosen size. */
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
  const side = path === "postcards/create" && SIDES.includes(field);
  const notes = side && piece ? listNotes(facts, piece) : listPageNotes(facts, path, side);
  return (
    <div className="mt-1 flex items-start gap-3">
      {hydrated && facts.kind !== "pdf" ? (
        <img
          src={`data:image/${facts.kind};base64,${base64}`}
          alt=""
          className="max-h-12 max-w-20 border border-line object-contain"
        />
      ) : null}
      <ul className="text-[12px] text-dim tabular-nums">
        <li>
          {measure(facts)}
          {side && piece ? `, ${computeDpi(facts, piece).verdict}` : ""}
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

function listNotes(facts: CheckedFile, piece: PieceSize): string[] {
  const pdf = facts.kind === "pdf" ? null : recommendPdf(piece);
  return [findMisfit(facts, piece), findPagesProblem(facts, "postcard side"), pdf].filter(
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
  if (facts.pages === undefined) return "PDF";
  return `PDF, ${facts.pages} ${facts.pages === 1 ? "page" : "pages"}`;
}
