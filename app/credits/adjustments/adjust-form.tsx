import { Form, useNavigation } from "@remix-run/react";
import { useCallback, useEffect, useState } from "react";
import { Field, TextField } from "~/ui/field";
import { useUnanswered } from "~/ui/network-notice";
import { ProblemNotice } from "~/ui/notice";
import { useHydrated } from "~/ui/use-hydrated";
import type { ManageView, PostedForm } from "../credits-view";
import { AMOUNT_HINT, formatAdjustError, MAX_ADJUSTMENT } from "../messages";
import { UserSelect } from "../user-select";
import { useRefusedForm } from "./refused-form";

const REQUIRED = ["user_id", "amount", "description"];

/**
 * Adds or deducts credits. With JavaScript, its buttons are disabled until every field is filled in and while a post runs. Without, the
 * server reports missing fields.
 */
export function AdjustForm({
  view,
  formKey,
  posted,
}: {
  view: ManageView;
  formKey: string;
  posted: PostedForm | null;
}) {
  const hydrated = useHydrated();
  const intent = useNavigation().formData?.get("intent");
  const busy = intent === "add" || intent === "deduct";
  const [filled, setFilled] = useState(false);
  const { form, readField } = useRefusedForm("adjust", posted);
  const user = readField("user_id", "User");
  const checkFilled = useCallback(() => {
    const values = new FormData(form.current ?? undefined);
    setFilled(REQUIRED.every((name) => String(values.get(name) ?? "").trim() !== ""));
  }, [form]);
  // A field may have been filled in before JavaScript ran.
  useEffect(checkFilled, [checkFilled]);
  const disabled = hydrated && (busy || !filled);
  const unanswered = useUnanswered()?.intent;
  const problem =
    unanswered === "add" || unanswered === "deduct" ? formatAdjustError(unanswered) : posted?.problem;
  return (
    <Form
      ref={form}
      noValidate
      method="post"
      action="/users?view=manage"
      onInput={checkFilled}
      className="grid gap-3"
    >
      <h2>Add or deduct credits</h2>
      <ProblemNotice>{problem}</ProblemNotice>
      <input type="hidden" name="idempotency_key" value={formKey} />
      <Field id={user.id} label="User" error={user.error && "Choose a user."}>
        <UserSelect
          id={user.id}
          users={view.users}
          chosen={user.defaultValue ?? view.userId}
          empty="Choose a user"
          invalid={user.error !== null}
        />
      </Field>
      <TextField
        {...readField("amount", "Amount")}
        type="number"
        description={AMOUNT_HINT}
        min={1}
        max={MAX_ADJUSTMENT}
        step={1}
        className="tabular-nums"
      />
      <TextField
        {...readField("description", "Description")}
        description="Reason (kept permanently)"
        maxLength={500}
      />
      <div className="flex flex-wrap gap-2">
        <button type="submit" name="intent" value="add" disabled={disabled} className="button button-primary">
          {intent === "add" ? "Adding…" : "Add credits"}
        </button>
        <button type="submit" name="intent" value="deduct" disabled={disabled} className="button">
          {intent === "deduct" ? "Deducting…" : "Deduct credits"}
        </button>
      </div>
    </Form>
  );
}
