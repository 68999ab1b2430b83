import { Form } from "@remix-run/react";
import { useCallback, useEffect, useState } from "react";
import { formatInteger } from "~/platform/format-integer";
import { Field, TextField } from "~/ui/field";
import { TextLink } from "~/ui/links";
import { Cell, MomentCell, Row, Table } from "~/ui/list/table";
import { FreshOnly, May } from "~/ui/may";
import { useUnanswered } from "~/ui/network-notice";
import { ProblemNotice } from "~/ui/notice";
import { Submit } from "~/ui/submit";
import { useHydrated } from "~/ui/use-hydrated";
import { type PostedForm, UserSelect, useRefusedForm } from "../credit-forms";
import type { ManageView } from "../credits-view.server";
import { HistoryLink } from "../history/history";
import type { TransactionRow } from "../history/transactions.server";
import { AMOUNT_HINT, formatAdjustError, MAX_ADJUSTMENT } from "../messages";

/** The Manage Credits view: the form and the recent adjustments. */
export function Manage({ view, posted }: { view: ManageView; posted: PostedForm | null }) {
  const formKey = posted?.formKey ?? view.formKey;
  return (
    <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[340px_minmax(0,1fr)]">
      {view.mayAdjust ? (
        <FreshOnly purpose="add or deduct credits" typed={posted !== null}>
          <AdjustForm key={formKey} view={view} formKey={formKey} posted={posted} />
        </FreshOnly>
      ) : (
        <div>
          <h2 className="mb-1">Add or deduct credits</h2>
          <p className="text-dim">
            Only admins can adjust credits. Ask one of them.{" "}
            <May scope="credits">Or buy credits by card.</May>
          </p>
        </div>
      )}
      {view.recent ? <Recent rows={view.recent} /> : null}
    </div>
  );
}

function Recent({ rows }: { rows: TransactionRow[] }) {
  return (
    <div className="min-w-0">
      <h2 className="mb-1">Recent adjustments</h2>
      {rows.length === 0 ? (
        <p className="text-dim">
          No adjustments yet. Each one is listed here with the person who made it, and kept permanently.
        </p>
      ) : (
        <Table
          label="Recent adjustments"
          head={["When", "User", { numeric: "Amount" }, { numeric: "Balance after" }, "Description", "By"]}
        >
          {rows.map((row) => (
            <Row key={row.id}>
              <MomentCell at={row.at} />
              <Cell wraps="name">
                <HistoryLink row={row} />
              </Cell>
              <Cell numeric>{row.change}</Cell>
              <Cell numeric>{formatInteger(row.balanceAfter)}</Cell>
              <Cell wraps="text">
                <span className="line-clamp-2" title={row.description}>
                  {row.description}
                </span>
              </Cell>
              <Cell wraps="name">{row.actor}</Cell>
            </Row>
          ))}
        </Table>
      )}
      {rows.length > 0 ? (
        <p className="mt-2">
          <TextLink to="/users?view=history">Full history</TextLink>
        </p>
      ) : null}
    </div>
  );
}

const REQUIRED = ["user_id", "amount", "description"];

type AdjustFormProps = { view: ManageView; formKey: string; posted: PostedForm | null };

/** With JavaScript, the buttons are disabled until every field is filled in. Without, the server reports missing fields. */
function AdjustForm({ view, formKey, posted }: AdjustFormProps) {
  const hydrated = useHydrated();
  const [filled, setFilled] = useState(false);
  const { form, readField } = useRefusedForm("adjust", posted);
  const user = readField("user_id", "User");
  const checkFilled = useCallback(() => {
    const values = new FormData(form.current ?? undefined);
    setFilled(REQUIRED.every((name) => String(values.get(name) ?? "").trim() !== ""));
  }, [form]);
  // A field may have been filled in before JavaScript ran.
  useEffect(checkFilled, [checkFilled]);
  const disabled = hydrated && !filled;
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
      {/* Enter presses the first button. It could mean either of the two below, so it does nothing. */}
      <button type="submit" disabled hidden />
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
        <Submit intent="add" working="Adding…" className="button-primary" disabled={disabled}>
          Add credits
        </Submit>
        <Submit intent="deduct" working="Deducting…" disabled={disabled}>
          Deduct credits
        </Submit>
      </div>
    </Form>
  );
}
