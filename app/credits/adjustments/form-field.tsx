import { type InputHTMLAttributes, useEffect, useRef } from "react";
import { Field } from "~/ui/field";
import type { PostedForm } from "../credits-view";

interface RefusedField {
  id: string;
  name: string;
  /** The value that was posted. */
  posted: string | undefined;
  /** The reason, which continues the label. */
  reason: string | undefined;
}

/** Reads the errors and values of a refused form, and moves the focus to its first field with an error. */
export function useRefusedForm(id: string, posted: PostedForm | null) {
  const form = useRef<HTMLFormElement>(null);
  const seen = useRef(posted);
  useEffect(() => {
    if (seen.current !== posted) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    seen.current = posted;
  }, [posted]);
  const readField = (name: string): RefusedField => ({
    id: `${id}-${name}`,
    name,
    posted: posted?.values[name],
    reason: posted?.problems[name],
  });
  return { form, readField };
}

/** An input with its label, hint and error. */
export function FormField({
  field: { id, name, posted, reason },
  label,
  description,
  type = "text",
  ...input
}: {
  field: RefusedField;
  label: string;
  description?: string;
  type?: "text" | "number";
} & Omit<InputHTMLAttributes<HTMLInputElement>, "type">) {
  return (
    <Field
      id={id}
      label={label}
      {...(description ? { description } : {})}
      error={reason ? `${label} ${reason}.` : null}
    >
      <input
        id={id}
        name={name}
        type={type}
        defaultValue={posted}
        aria-invalid={reason ? true : undefined}
        aria-describedby={reason ? `${id}-error` : undefined}
        autoComplete="off"
        className={type === "number" ? "control tabular-nums" : "control"}
        {...input}
      />
    </Field>
  );
}
