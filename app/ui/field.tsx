import type { ReactNode } from "react";

/** A label over its control, with what it is for and what is wrong with it. */
export function Field({
  id,
  label,
  required,
  description,
  error,
  children,
}: {
  id: string;
  label: string;
  required?: boolean;
  description?: string;
  error?: string | null;
  children: ReactNode;
}) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block">
        {label} {required ? <span className="text-live">required</span> : null}
      </label>
      {children}
      {description ? (
        <p id={`${id}-about`} className="mt-1 text-[12px] text-dim">
          {description}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="mt-1 font-semibold text-live">
          {error}
        </p>
      ) : null}
    </div>
  );
}
