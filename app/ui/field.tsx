import { Form, type FormProps } from "@remix-run/react";
import { type ComponentProps, type ReactNode, useRef } from "react";

interface Described {
  id: string;
  description?: ReactNode;
  error?: string | null;
}

interface FieldProps extends Described {
  label: string;
  required?: boolean;
  /** Shown behind an info sign beside the label. */
  note?: string;
  children: ReactNode;
}

/** A label above its control, with an optional hint, note and error. */
export function Field({ id, label, required, description, note, error, children }: FieldProps) {
  return (
    <div className="relative min-w-0">
      <label htmlFor={id} className={`mb-1 block ${note ? "pr-7" : ""}`}>
        {label}
        {required ? <span className="text-dim text-small"> required</span> : null}
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

/** Returns the attributes of the control in a {@link Field}, whose error and hint describe it. */
export function describeControl({ id, description, error }: Described) {
  const parts = [...(error ? [`${id}-error`] : []), ...(description ? [`${id}-about`] : [])];
  return { "aria-invalid": error ? true : undefined, "aria-describedby": parts.join(" ") || undefined };
}

interface InfoNoteProps {
  /** Completes "Note on ..." for screen readers. */
  subject: string;
  /** Classes that place the sign inside a padded ancestor. */
  corner?: string;
  children: string;
}

/** A note that an info sign in the top right corner of the nearest positioned ancestor opens, also without JavaScript. */
export function InfoNote({ subject, corner = "top-0 right-0", children }: InfoNoteProps) {
  return (
    <details>
      <summary
        className={`absolute grid size-6 place-items-center text-dim hover:text-ink [&::-webkit-details-marker]:hidden ${corner}`}
      >
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" fill="none" stroke="currentColor">
          <circle cx="7" cy="7" r="6" />
          <path d="M7 6.2v4M7 3.6v1.2" strokeWidth="1.4" />
        </svg>
        <span className="sr-only">{`Note on ${subject}`}</span>
      </summary>
      <p className="mt-1 border-edge border-l-2 pl-2 text-small">{children}</p>
    </details>
  );
}

type TextFieldProps = Omit<ComponentProps<"input">, "id"> &
  Described &
  Pick<FieldProps, "label"> & { marked?: boolean };

/** A {@link Field} with an input. @param props `marked`: says that it is required */
export function TextField(props: TextFieldProps) {
  const { id, label, description, error = null, marked = false, className = "", ...input } = props;
  return (
    <Field id={id} label={label} required={marked} description={description} error={error}>
      <input
        id={id}
        autoComplete="off"
        {...describeControl(props)}
        className={`control ${className}`}
        {...input}
      />
    </Field>
  );
}

/** Puts the fields of a filter into the address. @param props `values`: other ones reset the fields, and the focus stays */
export function FilterForm({ values, ...form }: FormProps & { values: unknown }) {
  /** Position of the control that had the focus when the form was sent. */
  const focused = useRef(-1);
  const focusAgain = (form: HTMLFormElement | null) => {
    if (document.activeElement !== document.body) return;
    (form?.[focused.current] as HTMLElement | undefined)?.focus();
    focused.current = -1;
  };
  return (
    <Form
      key={JSON.stringify(values)}
      ref={focusAgain}
      method="get"
      onSubmit={({ currentTarget }) => {
        const controls: (Element | null)[] = [...currentTarget];
        focused.current = controls.indexOf(document.activeElement);
      }}
      {...form}
    />
  );
}

interface FilterProps {
  label: string;
  value?: string | null;
  className?: string;
}

type FilterInputProps = Omit<ComponentProps<"input">, keyof FilterProps> & FilterProps & { wire?: boolean };

/** A text, day or month of a filter. @param props `wire`: it is an ID or path */
export function FilterInput(props: FilterInputProps) {
  const { label, value, className = "min-w-0", wire = false, ...input } = props;
  return (
    <label className={className}>
      <span className="mb-1 block text-dim">{label}</span>
      <input {...input} defaultValue={value ?? ""} className={`control ${wire ? "wire" : ""}`} />
    </label>
  );
}

interface FilterChoiceProps extends Omit<ComponentProps<"select">, keyof FilterProps>, FilterProps {
  /** Absent: one has to be chosen. */
  all?: string;
  options: readonly (readonly [value: string, label: string])[];
}

/** One of several, or all. An unknown value of the address stays chosen. With `onChange` the caller holds the value. */
export function FilterChoice(props: FilterChoiceProps) {
  const { label, value, all, options, className = "min-w-0", ...select } = props;
  const known = !value || options.some(([option]) => option === value);
  return (
    <label className={className}>
      <span className="mb-1 block text-dim">{label}</span>
      <select
        {...select}
        {...{ [select.onChange ? "value" : "defaultValue"]: value ?? "" }}
        className="control"
      >
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
