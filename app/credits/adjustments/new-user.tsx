import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import { Notice } from "~/ui/notice";
import { FormField } from "./form-field";

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
        <FormField field={fields.display_name} label="Display name" required maxLength={100} />
        <FormField field={fields.username} label="Username" required maxLength={64} />
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
