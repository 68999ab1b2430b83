import { useState } from "react";
import type { FormField } from "~/catalogue/types";
import { Field } from "~/ui/field";
import type { Draft } from "./draft";
import type { DraftChange } from "./use-draft";

/**
 * A file that becomes base64 (spec §2 "file upload with base64 conversion"): in the browser where
 * JavaScript runs, else on the server, which hands it back in the next page so that no round loses it.
 */
export function FileField({
  field,
  draft,
  change,
}: {
  field: FormField;
  draft: Draft;
  change: (change: DraftChange) => void;
}) {
  const [error, setError] = useState<string | null>(null);
  const id = `field-${field.name}`;
  const file = draft.files[field.name];
  const value = draft.values[field.name] ?? "";

  const choose = async (chosen: File | undefined) => {
    setError(null);
    if (!chosen) return;
    if (chosen.size === 0) {
      setError(`${chosen.name} is empty`);
      return;
    }
    try {
      change({
        type: "file",
        name: field.name,
        value: await readBase64(chosen),
        file: { name: chosen.name, bytes: chosen.size },
      });
    } catch {
      change({ type: "file", name: field.name, value: "", file: null });
      setError("Failed to process file");
    }
  };

  return (
    <Field
      id={id}
      label={field.label}
      required={field.required}
      description={field.description}
      error={error}
    >
      <input
        id={id}
        type="file"
        name={`field.${field.name}`}
        accept={field.accept}
        className="control py-1! text-dim file:mr-2 file:rounded-[4px] file:border file:border-edge file:bg-sunken file:px-2 file:text-ink"
        aria-describedby={field.description ? `${id}-about` : undefined}
        onChange={(event) => {
          choose(event.target.files?.[0]);
          // What is attached stands below; the control must not go on naming a file that was removed since.
          event.target.value = "";
        }}
      />
      {file ? (
        <p className="mt-1 flex flex-wrap items-center gap-2">
          <span className="[overflow-wrap:anywhere]">
            {file.name}{" "}
            <span className="text-dim tabular-nums">{formatBytes(file.bytes)}, attached as base64</span>
          </span>
          <button
            type="submit"
            name={`drop.${field.name}`}
            value="1"
            className="link"
            onClick={(event) => {
              event.preventDefault();
              change({ type: "file", name: field.name, value: "", file: null });
            }}
          >
            Remove {file.name}
          </button>
          <input type="hidden" name={`kept.${field.name}`} value={value} />
          <input type="hidden" name={`kept-name.${field.name}`} value={file.name} />
        </p>
      ) : null}
    </Field>
  );
}

/** A file's content as base64, without the `data:` prefix that the provider does not document. */
function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** Bytes in the unit a person reads: `812 B`, `9.6 KB`, `1.8 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
