import { Form } from "@remix-run/react";
import { formatUserOption } from "~/people/user-option";
import type { MailView } from "./mail-view";

/** Whose mail is shown, and which of it. With JavaScript a choice applies at once, without it by the button. */
export function FilterBar({ view }: { view: MailView }) {
  const { filter } = view;
  const pieces = filter.type !== "recipient";
  return (
    <Form
      // A new address resets the fields.
      key={JSON.stringify(filter)}
      method="get"
      action="/mail"
      role="search"
      aria-label="Filter mail"
      className="flex flex-wrap items-end gap-x-3 gap-y-2"
    >
      <input type="hidden" name="type" value={filter.type} />
      <input type="hidden" name="status" value={filter.status} />
      {filter.recipient === "" ? null : <input type="hidden" name="recipient" value={filter.recipient} />}
      {pieces ? (
        <label className="min-w-56 flex-[2] max-sm:w-full max-sm:flex-none">
          <span className="mb-1 block text-dim">Search</span>
          <input
            type="search"
            name="q"
            placeholder="Name, city, postcode, mail ID"
            defaultValue={filter.q}
            maxLength={200}
            className="control"
          />
        </label>
      ) : null}
      <UserChoice view={view} />
      {pieces ? (
        <>
          <Day label="From (UTC)" name="from" value={filter.from} />
          <Day label="To (UTC)" name="to" value={filter.to} />
          <label className="flex min-h-[30px] items-center gap-2">
            <input
              type="checkbox"
              name="tests"
              value="1"
              defaultChecked={filter.tests === "1"}
              onChange={(event) => event.currentTarget.form?.requestSubmit()}
            />
            Tests
          </label>
        </>
      ) : null}
      <button type="submit" className="button">
        Show
      </button>
    </Form>
  );
}

function UserChoice({ view: { users, filter } }: { view: MailView }) {
  const known = users.some(({ id }) => id === filter.user_id);
  return (
    <label className="min-w-40 flex-1 max-sm:w-full max-sm:flex-none">
      <span className="mb-1 block text-dim">User</span>
      <select
        name="user_id"
        defaultValue={filter.user_id}
        className="control"
        onChange={(event) => event.currentTarget.form?.requestSubmit()}
      >
        {known ? null : <option value={filter.user_id}>{filter.user_id || "No users"}</option>}
        {users.map((user) => (
          <option key={user.id} value={user.id}>
            {formatUserOption(user)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Day({ label, name, value }: { label: string; name: string; value: string }) {
  return (
    <label className="max-sm:min-w-0 max-sm:flex-1">
      <span className="mb-1 block text-dim">{label}</span>
      <input type="date" name={name} defaultValue={value} className="control sm:w-36!" />
    </label>
  );
}
