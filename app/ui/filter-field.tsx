import type { ComponentProps } from "react";

const LABEL = "mb-1 block text-dim";

/** A text, day or month of a filter. @param wire true for an ID or path */
export function FilterInput({
  label,
  value,
  className = "min-w-0",
  wire = false,
  ...input
}: Omit<ComponentProps<"input">, "value" | "className"> & {
  label: string;
  value?: string | null;
  /** Classes of the label. */
  className?: string;
  wire?: boolean;
}) {
  return (
    <label className={className}>
      <span className={LABEL}>{label}</span>
      <input {...input} defaultValue={value ?? ""} className={`control ${wire ? "wire" : ""}`} />
    </label>
  );
}

/** One of several, or all. An unknown value of the address stays chosen. */
export function FilterChoice({
  label,
  value,
  all,
  options,
  className = "min-w-0",
  ...select
}: Omit<ComponentProps<"select">, "value" | "className"> & {
  label: string;
  value?: string | null;
  /** Absent: one has to be chosen. */
  all?: string;
  options: readonly (readonly [value: string, label: string])[];
  /** Classes of the label. */
  className?: string;
}) {
  const known = !value || options.some(([option]) => option === value);
  return (
    <label className={className}>
      <span className={LABEL}>{label}</span>
      <select {...select} defaultValue={value ?? undefined} className="control">
        {all === undefined ? null : <option value="">{all}</option>}
        {known ? null : <option>{value}</option>}
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
