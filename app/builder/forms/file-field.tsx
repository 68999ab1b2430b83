import { memo, useEffect, useRef } from "react";
import type { FormField } from "~/catalogue/types";
import { findFileRule } from "~/print/artwork/file-rules";
import { formatFileName } from "~/print/messages";
import { Field } from "~/ui/field";
import { formatBytes } from "~/ui/format-bytes";
import { useHydrated } from "~/ui/use-hydrated";
import type { DraftChange } from "../draft/builder-state";
import type { ChosenFile } from "../draft/draft";
import { FileFacts, SizeAdvice } from "./file-facts";
import { type FileChoice, useFileChoice } from "./use-file-choice";

export const DROP_FILE = "Drop the file to attach it.";

/** Without JavaScript: above the browser's own control, which then says that no file is chosen. */
export function formatKeptFile(name: string): string {
  return `${formatFileName(name)} is attached. Choose a file only to replace it.`;
}

const CHOOSE_FILE = "Drop, paste or choose a file.";

interface FileFieldProps {
  field: FormField;
  /** The path of the call, which decides what files are allowed. */
  path: string;
  /** The attached file as base64, or "". */
  value: string;
  file: ChosenFile | undefined;
  /** Total size of the form's other files. */
  otherBytes: number;
  /** The chosen postcard size, or "". */
  size: string;
  /** Why the server refused the file that was posted. */
  problem: string | null;
  change: (change: DraftChange) => void;
}

/**
 * A file that becomes base64. With JavaScript it is chosen, dropped or pasted and converted in the browser; without,
 * the server converts it and puts it into the next page, so that it is not lost. Memoised, because comparing files of
 * several MB at every keystroke is slow.
 */
export const FileField = memo(function FileField(props: FileFieldProps) {
  const { field, path, value, file, otherBytes, size, problem, change } = props;
  const place = useRef<HTMLDivElement>(null);
  const id = `field-${field.name}`;
  const choice = useFileChoice(place, {
    rule: findFileRule(path, field.name),
    otherBytes,
    onReading: (on) => change({ type: "reading", name: field.name, on }),
    onTaken: (base64, taken) => change({ type: "file", name: field.name, value: base64, file: taken }),
  });
  const error = choice.error ?? problem;
  // The rules are hidden once a file is attached.
  const description =
    file && !error ? undefined : (
      <>
        <span className="needs-script">{CHOOSE_FILE} </span>
        {field.description}
      </>
    );
  const described = [description ? `${id}-about` : "", error ? `${id}-error` : ""].filter(Boolean);
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
          name={`field.${field.name}`}
          accept={field.accept}
          className="file-control file-drop"
          aria-invalid={error ? true : undefined}
          aria-describedby={described.join(" ") || undefined}
          onChange={(event) => {
            choice.choose([...(event.target.files ?? [])]);
            // The attached file is shown below, so the control itself names none.
            event.target.value = "";
          }}
        />
        {choice.hovered ? <p className="mt-1 text-small text-dim">{DROP_FILE}</p> : null}
        <Progress choice={choice} />
        {file?.facts ? (
          <FileFacts facts={file.facts} base64={value} size={size} path={path} field={field.name} />
        ) : (
          <SizeAdvice size={size} path={path} field={field.name} />
        )}
        {file ? <Attached name={field.name} file={file} value={value} change={change} /> : null}
      </Field>
    </div>
  );
});

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
            aria-label={`${reading.doing} ${reading.name}`}
            max={1}
            value={reading.share}
          />
          <span className="text-dim tabular-nums [overflow-wrap:anywhere]">
            {reading.doing} {reading.name}, {Math.round(reading.share * 100)} %
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
function Attached({
  name,
  file,
  value,
  change,
}: {
  name: string;
  file: ChosenFile;
  value: string;
  change: (change: DraftChange) => void;
}) {
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
