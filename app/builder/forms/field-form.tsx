import type { FormField } from "~/catalogue/types";
import { splitCommaList } from "~/platform/comma-list";
import { describeControl, Field, InfoNote } from "~/ui/field";
import { useFieldProblem, useForm } from "./form-context";

const NO_FORM = "A custom request has no form. Its query, headers and body are typed in their tabs.";

export function FieldForm() {
  const { fields, path } = useForm().call;
  if (fields.length === 0) {
    return (
      <p className="p-4 text-dim">
        {path === "" ? NO_FORM : "This request has no fields. You can send it as it is."}
      </p>
    );
  }
  return (
    <div className="grid gap-x-4 gap-y-3 p-4 sm:grid-cols-2">
      {fields.map((field) => (
        <div
          key={field.name}
          className={field.type === "textarea" || field.type === "file" ? "sm:col-span-2" : "min-w-0"}
        >
          <FormFieldControl field={field} />
        </div>
      ))}
    </div>
  );
}

interface ControlProps {
  field: FormField;
}

/** The summary of a folded section: its title, and what is set in it. */
export function FoldedSummary({ title, set }: { title: string; set: string }) {
  return (
    <summary className="flex cursor-pointer items-baseline gap-2 px-4 py-2.5 before:text-[10px] before:text-dim before:content-['▶'] hover:bg-sunken in-open:before:rotate-90">
      <h2 className="shrink-0 text-[13px]">{title}</h2>
      <span className="min-w-0 truncate text-dim">{set}</span>
    </summary>
  );
}

export function FormFieldControl({ field }: ControlProps) {
  const problem = useFieldProblem(field.name);
  const { openings, FileField } = useForm();
  switch (field.type) {
    case "file":
      // A new field gives up the file that the last draft's one is reading.
      return <FileField key={openings} field={field} />;
    case "boolean":
      return <BooleanField field={field} />;
    case "several":
      return <SeveralField field={field} />;
    default:
      return (
        <Field
          id={`field-${field.name}`}
          label={field.label}
          required={field.required}
          description={field.description}
          note={field.note}
          error={problem}
        >
          <Control field={field} error={problem} />
        </Field>
      );
  }
}

function Control({ field, error }: ControlProps & { error: string | null }) {
  const { draft, change } = useForm();
  const id = `field-${field.name}`;
  const shared = {
    id,
    name: `field.${field.name}`,
    className: "control",
    value: draft.values[field.name] ?? "",
    required: field.required,
    ...describeControl({ id, description: field.description, error }),
    onChange: (event: { target: { value: string } }) =>
      change({ type: "value", name: field.name, value: event.target.value }),
  };
  if (field.type === "choice" || field.type === "select") {
    return (
      <select {...shared}>
        {listOptions(field, shared.value).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  if (field.type === "textarea")
    return (
      <textarea
        {...shared}
        className="control field-sizing-content max-h-[60vh] min-h-18"
        rows={3}
        placeholder={field.placeholder}
      />
    );
  return (
    <input
      {...shared}
      type="text"
      inputMode={field.type === "number" ? "decimal" : undefined}
      placeholder={field.placeholder}
      autoComplete="off"
    />
  );
}

function listOptions({ type, words, required, options = [], names }: FormField, value: string) {
  if (type === "choice")
    return [
      ["", "Provider's default"],
      ["true", words?.yes],
      ["false", words?.no],
    ] as const;
  const none = required && value !== "" ? [] : [["", "none"] as const];
  return [...none, ...options.map((option) => [option, names?.[option] ?? option] as const)];
}

/** Boxes to tick; the value lists the ticked options with commas between them. */
function SeveralField({ field }: ControlProps) {
  const { draft, change } = useForm();
  const chosen = splitCommaList(draft.values[field.name] ?? "");
  return (
    <fieldset className="relative min-w-0">
      <legend className={`mb-1 ${field.note ? "pr-7" : ""}`}>{field.label}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {field.options?.map((option) => (
          <label key={option} className="flex items-center gap-2">
            <input
              type="checkbox"
              name={`field.${field.name}`}
              value={option}
              className="size-4 accent-accent"
              checked={chosen.includes(option)}
              onChange={({ target }) => {
                const next = field.options?.filter((known) =>
                  known === option ? target.checked : chosen.includes(known),
                );
                change({ type: "value", name: field.name, value: (next ?? []).join(",") });
              }}
            />
            <span className="wire">{option}</span>
          </label>
        ))}
      </div>
      {field.note ? <InfoNote subject={field.label}>{field.note}</InfoNote> : null}
    </fieldset>
  );
}

function BooleanField({ field }: ControlProps) {
  const { draft, change } = useForm();
  const id = `field-${field.name}`;
  return (
    <div className="relative pt-5">
      <label className="flex items-center gap-2">
        <input
          id={id}
          type="checkbox"
          name={`field.${field.name}`}
          value="true"
          // Browsers restore form values after a reload. That must not switch to live mail.
          autoComplete={field.name === "test" ? "off" : undefined}
          className="size-4 accent-accent"
          checked={draft.values[field.name] === "true"}
          aria-describedby={field.description ? `${id}-about` : undefined}
          onChange={(event) =>
            change({ type: "value", name: field.name, value: event.target.checked ? "true" : "" })
          }
        />
        {field.label}
      </label>
      {field.description ? (
        <p id={`${id}-about`} className="mt-1 text-small text-dim">
          {field.description}
        </p>
      ) : null}
      {field.note ? (
        <InfoNote subject={field.label} corner="top-5 right-0">
          {field.note}
        </InfoNote>
      ) : null}
    </div>
  );
}
