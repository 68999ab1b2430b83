import { POSTCARD_SIZES } from "~/catalogue/options";
import { formatCount } from "~/platform/format-integer";
import type { CheckedFile } from "~/print/artwork/checked-file";
import {
  findPagesProblem,
  findPdfAdvice,
  findShapeProblem,
  gradeResolution,
  toInches,
} from "~/print/artwork/print-quality";
import { usePictureUrl } from "~/print/preview/artwork-image";
import { useHydrated } from "~/ui/use-hydrated";
import { useForm } from "./form-context";

const SIDES = ["front", "back"] as const;

/** Describes an attached file and its print quality at the chosen size. Without a file it only recommends a kind. */
export function FileFacts({ field, facts }: { field: string; facts: CheckedFile | undefined }) {
  const hydrated = useHydrated();
  const { draft, template } = useForm();
  const size = POSTCARD_SIZES.find((known) => known === draft.values.size);
  const side = template.path === "postcards/create" ? SIDES.find((known) => known === field) : undefined;
  const place = side ? "postcard side" : template.path.startsWith("letters/") ? "letter" : null;
  const notes = [
    facts && size && side ? findShapeProblem(facts, size, side) : null,
    facts && place ? findPagesProblem(facts, place) : null,
    size && side && facts?.kind !== "pdf" ? findPdfAdvice(size) : null,
  ].filter((note) => note !== null);
  return (
    <div className="mt-1 flex items-start gap-3 empty:hidden">
      {hydrated && facts && facts.kind !== "pdf" ? (
        <Thumbnail base64={draft.values[field] ?? ""} kind={facts.kind} />
      ) : null}
      {facts || notes.length > 0 ? (
        <ul className="text-small text-dim tabular-nums">
          {facts ? (
            <li>
              {formatMeasures(facts)}
              {size && side ? `, ${gradeResolution(facts, size, side).label}` : ""}
            </li>
          ) : null}
          {notes.map((note) => (
            <li key={note} className="text-warn">
              {note}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function Thumbnail({ base64, kind }: { base64: string; kind: "jpeg" | "png" }) {
  const url = usePictureUrl(base64, kind);
  return <img src={url} alt="" className="max-h-12 max-w-20 border border-line object-contain" />;
}

function formatMeasures(facts: CheckedFile): string {
  if (facts.kind !== "pdf") return `${facts.kind.toUpperCase()}, ${facts.widthPx} x ${facts.heightPx} px`;
  const { pages, pageSizePt: page } = facts;
  return [
    "PDF",
    ...(pages === undefined ? [] : [formatCount(pages, "page")]),
    ...(page === undefined ? [] : [`${toInches(page.width)} x ${toInches(page.height)} in`]),
  ].join(", ");
}
