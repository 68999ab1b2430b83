import { useEffect, useRef } from "react";
import { POSTCARD_SIZES } from "~/catalogue/options";
import type { FormField } from "~/catalogue/types";
import { formatBytes, formatCount } from "~/platform/format-integer";
import type { CheckedFile } from "~/print/artwork/file-rules";
import {
  findPagesProblem,
  findPdfAdvice,
  findShapeProblem,
  gradeResolution,
  toInches,
} from "~/print/artwork/print-quality";
import { formatFileName } from "~/print/messages";
import { usePictureUrl } from "~/print/preview/artwork";
import { describeControl, Field } from "~/ui/field";
import { useHydrated } from "~/ui/use-hydrated";
import type { ChosenFile } from "../draft/draft";
import { useFieldProblem, useForm } from "./form-context";
import { type FileChoice, useFileChoice } from "./use-file-choice";

export const DROP_FILE = "Drop the file to attach it.";

/** Without JavaScript: above the browser's own control, which then says that no file is chosen. */
export function formatKeptFile(name: string): string {
  return `${formatFileName(name)} is attached. Choose a file only to replace it.`;
}

/**
 * A file that becomes base64. With JavaScript it is chosen, dropped or pasted and converted in the browser; without,
 * the server converts it and puts it into the next page, so that it is not lost.
 */
export function FileField({ field }: { field: FormField }) {
  const { draft } = useForm();
  const { name } = field;
  const place = useRef<HTMLDivElement>(null);
  const id = `field-${name}`;
  const file = draft.files[name];
  const choice = useFileChoice(place, name);
  const problem = useFieldProblem(name);
  const error = choice.error ?? problem;
  // The rules are hidden once a file is attached.
  const description =
    file && !error ? undefined : (
      <>
        {field.description}
        {/* Last, because its place stays empty without scripts. */}
        <span className="needs-script"> Drop, paste or choose a file.</span>
      </>
    );
  return (
    <div
      ref={place}
      {...choice.dropping}
      className={`rounded-[6px] ${choice.hovered ? "bg-accent-wash outline-2 outline-accent outline-offset-4 outline-dashed" : ""}`}
    >
      <Field
        id={id}
        label={field.label}
        required={field.required}
        description={description}
        note={field.note}
        error={error}
      >
        {file ? (
          <noscript>
            <p className="mb-1 text-dim [overflow-wrap:anywhere]">{formatKeptFile(file.name)}</p>
          </noscript>
        ) : null}
        <input
          id={id}
          type="file"
          name={`field.${name}`}
          accept={field.accept}
          className="file-control file-drop"
          {...describeControl({ id, description, error })}
          onChange={(event) => {
            choice.choose([...(event.target.files ?? [])]);
            // The attached file is shown below, so the control itself names none.
            event.target.value = "";
          }}
        />
        {choice.hovered ? <p className="mt-1 text-small text-dim">{DROP_FILE}</p> : null}
        <Progress choice={choice} />
        <FileFacts field={name} facts={file?.facts} />
        {file ? <Attached name={name} file={file} /> : null}
      </Field>
    </div>
  );
}

/** The progress of reading, with a Cancel button. Screen readers also hear the outcome. */
function Progress({ choice: { reading, error, cancel } }: { choice: FileChoice }) {
  return (
    <>
      <p role="status" className="sr-only">
        {reading ? `Reading and checking ${reading.name}…` : error}
      </p>
      {reading ? (
        <p className="mt-1 flex flex-wrap items-center gap-2">
          <progress
            className="h-1.5 w-32 accent-accent"
            aria-label={`Reading ${reading.name}`}
            max={1}
            value={reading.share}
          />
          <span className="text-dim tabular-nums [overflow-wrap:anywhere]">
            Reading {reading.name}, {Math.round(reading.share * 100)} %
          </span>
          <button type="button" className="link" onClick={cancel}>
            Cancel
          </button>
        </p>
      ) : null}
    </>
  );
}

/** The attached file with its Remove button. It adds the content to the form when that is posted. */
function Attached({ name, file }: { name: string; file: ChosenFile }) {
  const { draft, change } = useForm();
  const value = draft.values[name] ?? "";
  const hydrated = useHydrated();
  const remove = useRef<HTMLButtonElement>(null);
  // A hidden input of several MB makes the page slow, so JavaScript adds the content when the form is posted.
  useEffect(() => {
    const form = remove.current?.form;
    const onFormData = ({ formData }: FormDataEvent) => formData.set(`kept.${name}`, value);
    form?.addEventListener("formdata", onFormData);
    return () => form?.removeEventListener("formdata", onFormData);
  }, [name, value]);
  return (
    <p className="mt-1 flex flex-wrap items-center gap-2">
      <span className="[overflow-wrap:anywhere]">
        {file.name} <span className="text-dim tabular-nums">{formatBytes(file.bytes)}</span>
      </span>
      <button
        ref={remove}
        type="submit"
        name={`drop.${name}`}
        value="1"
        className="link"
        onClick={(event) => {
          event.preventDefault();
          change({ type: "file", name, value: "", file: null });
        }}
      >
        Remove {formatFileName(file.name)}
      </button>
      {hydrated ? null : <input type="hidden" name={`kept.${name}`} value={value} />}
      <input type="hidden" name={`kept-name.${name}`} value={file.name} />
    </p>
  );
}

const SIDES = ["front", "back"] as const;

/** Describes an attached file and its print quality at the chosen size. Without a file it only recommends a kind. */
function FileFacts({ field, facts }: { field: string; facts: CheckedFile | undefined }) {
  const hydrated = useHydrated();
  const { draft, call } = useForm();
  const size = POSTCARD_SIZES.find((known) => known === draft.values.size);
  const side = call.path === "postcards/create" ? SIDES.find((known) => known === field) : undefined;
  const place = side ? "postcard side" : call.path.startsWith("letters/") ? "letter" : null;
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
