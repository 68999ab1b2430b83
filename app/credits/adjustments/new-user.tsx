import { getFormProps, getInputProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import { Field } from "~/ui/field";
import { Notice } from "~/ui/notice";

/** Creates a user who does not sign in: a colleague, a machine, a cost centre. */
export function NewUser({ result }: { result: SubmissionResult | null }) {
  const busy = useNavigation().formData?.get("intent") === "create_user";
  const [form, fields] = useForm<{ display_name: string; username: string }>({
    id: "new-user",
    lastResult: result,
  });
  return (
    <details className="relative" open={result !== null}>
      <summary className="button list-none [&::-webkit-details-marker]:hidden">New user</summary>
      <Form
        {...getFormProps(form)}
        method="post"
        action="/users"
        className="absolute right-0 z-10 mt-1 grid w-[280px] gap-3 rounded-[6px] border border-edge bg-surface p-4 shadow-lg"
      >
        {form.errors?.length ? (
          <Notice tone="bad" urgent>
            {form.errors.join(" ")}
          </Notice>
        ) : null}
        <Field
          id={fields.display_name.id}
          label="Display name"
          error={formatError("Display name", fields.display_name.errors)}
        >
          <input
            {...getInputProps(fields.display_name, { type: "text" })}
            required
            maxLength={100}
            autoComplete="off"
            className="control"
          />
        </Field>
        <Field
          id={fields.username.id}
          label="Username"
          error={formatError("Username", fields.username.errors)}
        >
          <input
            {...getInputProps(fields.username, { type: "text" })}
            required
            maxLength={64}
            autoComplete="off"
            className="control"
          />
        </Field>
        <button
          type="submit"
          name="intent"
          value="create_user"
          disabled={busy}
          className="button button-primary"
        >
          {busy ? "Creating…" : "Create user"}
        </button>
      </Form>
    </details>
  );
}

function formatError(label: string, errors: string[] | undefined): string | null {
  return errors?.length ? `${label} ${errors[0]}.` : null;
}
