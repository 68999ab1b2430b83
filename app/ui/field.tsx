import type { ComponentProps, ReactNode } from "react";
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
      {note ? <InfoNote subject={label}>{note}</InfoNote> : null}
      {error ? (
        <p id={`${id}-error`} className="mt-1 font-semibold text-live">
          {error}
        </p>
      ) : null}
    </div>
  );
}

/** A {@link Field} with an input, which its hint and error describe. @param marked true to say that it is required */
export function TextField({
  id,
  label,
  description,
  error = null,
  marked = false,
  className = "",
  ...input
}: Omit<ComponentProps<"input">, "id"> &
  Pick<ComponentProps<typeof Field>, "id" | "label" | "description" | "error"> & { marked?: boolean }) {
  const describedBy = [...(error ? [`${id}-error`] : []), ...(description ? [`${id}-about`] : [])];
  return (
    <Field id={id} label={label} required={marked} description={description} error={error}>
      <input
        id={id}
        autoComplete="off"
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy.join(" ") || undefined}
        className={`control ${className}`}
        {...input}
      />
    </Field>
  );
}
