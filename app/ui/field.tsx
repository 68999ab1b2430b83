import type { ReactNode } from "react";
import { InfoNote } from "./info-note";

/** A label above its control, with an optional hint, note and error. */
export function Field({
  id,
  label,
  required,
  description,
  note,
  error,
  children,
}: {
  id: string;
  label: string;
  required?: boolean;
  description?: ReactNode;
  /** Shown behind an info sign beside the label. */
  note?: string;
  error?: string | null;
  children: ReactNode;
}) {
  return (
    <div className="relative min-w-0">
      <label htmlFor={id} className={`mb-1 block ${note ? "pr-7" : ""}`}>
        {label} {required ? <span className="text-dim text-small">required</span> : null}
      </label>
      {children}
      {description ? (
        <p id={`${id}-about`} className="mt-1 text-small text-dim">
          {description}
        </p>
      ) : null}
      {note ? <InfoNote about={label}>{note}</InfoNote> : null}
      {error ? (
        <p id={`${id}-error`} className="mt-1 font-semibold text-live">
          {error}
        </p>
      ) : null}
    </div>
  );
}
