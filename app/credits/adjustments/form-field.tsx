import type { SubmissionResult } from "@conform-to/react";
import { type InputHTMLAttributes, useEffect, useRef } from "react";
import { Field } from "~/ui/field";

interface RefusedField {
  id: string;
  name: string;
  /** The value that was posted. */
  posted: string | undefined;
  /** The reason, which continues the label. */
  reason: string | undefined;
}

/** Reads the errors and values of a refused form, and moves the focus to its first field with an error. */
export function useRefusedForm(id: string, result: SubmissionResult | null) {
  const form = useRef<HTMLFormElement>(null);
  const seen = useRef(result);
  useEffect(() => {
    if (seen.current !== result) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    seen.current = result;
  }, [result]);
  const readField = (name: string): RefusedField => {
    const posted = result?.initialValue?.[name];
    return {
      id: `${id}-${name}`,
      name,
      posted: typeof posted === "string" ? posted : undefined,
      reason: result?.error?.[name]?.[0],
    };
  };
  return { form, errors: result?.error?.[""], readField };
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
