import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { formatUserOption } from "~/people/user-option";
import { type MailView, mailAddress } from "./mail-view";
import { ALL_USERS } from "./piece-filter";

/** Filters the mail by user and other fields. With JavaScript a choice applies at once, without it by the button. */
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
      <label className="min-w-56 flex-[2] max-sm:w-full max-sm:flex-none">
        <span className="mb-1 block text-dim">Search</span>
        <input
          type="search"
          name="q"
          placeholder={pieces ? "Name, city, postcode, mail ID" : "Name, city, postcode, e-mail"}
          defaultValue={filter.q}
          maxLength={200}
          className="control"
        />
      </label>
      <UserChoice view={view} />
      {pieces ? (
        <>
          {view.lists.length > 0 ? (
            <Choice label="List" name="list" value={filter.list}>
              <option value="">Any or none</option>
              {view.lists.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Choice>
          ) : null}
          <Day label="From (UTC)" name="from" value={filter.from} />
          <Day label="To (UTC)" name="to" value={filter.to} />
          <Months view={view} />
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
    <Choice label="User" name="user_id" value={filter.user_id}>
      <option value={ALL_USERS}>All users</option>
      {known || filter.user_id === ALL_USERS ? null : (
        <option value={filter.user_id}>{filter.user_id || "No users"}</option>
      )}
      {users.map((user) => (
        <option key={user.id} value={user.id}>
          {formatUserOption(user)}
        </option>
      ))}
    </Choice>
  );
}

/** Selects one option; applies at once with JavaScript. */
function Choice(props: { label: string; name: string; value: string; children: ReactNode }) {
  return (
    <label className="min-w-40 flex-1 max-sm:w-full max-sm:flex-none">
      <span className="mb-1 block text-dim">{props.label}</span>
      <select
        name={props.name}
        defaultValue={props.value}
        className="control"
        onChange={(event) => event.currentTarget.form?.requestSubmit()}
      >
        {props.children}
      </select>
    </label>
  );
}

/** Links that fill in both days. */
function Months({ view: { months, filter } }: { view: MailView }) {
  return (
    <span className="flex min-h-[30px] items-center gap-x-3 max-sm:w-full">
      {months.map(({ name, from, to }) => (
        <Link
          key={from}
          to={mailAddress({ ...filter, from, to })}
          className="link"
          aria-current={filter.from === from && filter.to === to ? "date" : undefined}
        >
          {name}
        </Link>
      ))}
    </span>
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
