import { Form } from "@remix-run/react";
import { TextLink } from "~/ui/links";
import { Notice } from "~/ui/notice";
import { Submit } from "~/ui/submit";
import type { RowForm as RowFormView } from "./load-rows.server";

/** Corrects the used cells of a row. @param typed cells of a refused post */
export function RowForm({
  form: { number, cells, problem, allowable, allowed, canLeaveOut },
  typed,
  /** Address of the rows without this form. */
  closeTo,
}: {
  form: RowFormView;
  typed: Readonly<Record<string, string>>;
  /** The rows as they are shown, without this one. */
  closeTo: string;
}) {
  return (
    <Form
      key={number}
      method="post"
      preventScrollReset
      aria-label={`Row ${number}`}
      className="grid gap-3 border-line border-b px-4 py-3"
    >
      <input type="hidden" name="row" value={number} />
      {problem ? <input type="hidden" name="next" value="1" /> : null}
      {problem ? <Notice tone="warn">{problem}</Notice> : null}
      <div className="grid gap-x-3 gap-y-2 sm:grid-cols-2">
        {cells.map(({ label, value, name }) => (
          <div key={name} className="min-w-0">
            <label htmlFor={`${number}-${name}`} className="mb-0.5 block truncate text-small text-dim">
              {label}
            </label>
            <input
              id={`${number}-${name}`}
              name={name}
              defaultValue={typed[name] ?? value}
              autoComplete="off"
              className="control w-full"
            />
          </div>
        ))}
      </div>
      {allowable ? (
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            name="allow"
            value="1"
            defaultChecked={allowed && problem === null}
            className="size-4 accent-accent"
          />
          Send it anyway
        </label>
      ) : null}
      <p className="flex flex-wrap items-center gap-3">
        <Submit intent="correct">Save row</Submit>
        {canLeaveOut ? (
          <Submit intent="leave_out" className="button-quiet">
            Leave it out
          </Submit>
        ) : null}
        <TextLink to={closeTo} preventScrollReset>
          Close
        </TextLink>
      </p>
    </Form>
  );
}
