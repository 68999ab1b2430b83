import { type FieldMetadata, getInputProps } from "@conform-to/react";
import type { InputHTMLAttributes } from "react";
import { Field } from "~/ui/field";

/** An input with its label, hint and error. The error continues the label. */
export function FormField({
  field,
  label,
  description,
  type = "text",
  ...input
}: {
  field: FieldMetadata<string>;
  label: string;
  description?: string;
  type?: "text" | "number";
} & Omit<InputHTMLAttributes<HTMLInputElement>, "type">) {
  return (
    <Field
      id={field.id}
      label={label}
      {...(description ? { description } : {})}
      error={field.errors?.length ? `${label} ${field.errors[0]}.` : null}
    >
      <input
        {...getInputProps(field, { type })}
        autoComplete="off"
        className={type === "number" ? "control tabular-nums" : "control"}
        {...input}
      />
    </Field>
  );
}
