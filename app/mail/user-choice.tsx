import { Form } from "@remix-run/react";
import { formatUserOption } from "~/people/user-option";
import type { MailView } from "./mail-view";

/** Whose mail is shown. With JavaScript a new choice applies at once, without it by the button. */
export function UserChoice({ view }: { view: MailView }) {
  const known = view.users.some(({ id }) => id === view.userId);
  return (
    <Form
      key={view.userId}
      method="get"
      action="/mail"
      aria-label="User"
      className="flex min-w-0 items-center gap-2 pb-1.5 max-sm:w-full"
    >
      <input type="hidden" name="type" value={view.type} />
      <select
        name="user_id"
        aria-label="User"
        defaultValue={view.userId}
        className="control min-w-0 sm:w-60!"
        onChange={(event) => event.currentTarget.form?.requestSubmit()}
      >
        {known ? null : <option value={view.userId}>{view.userId || "No users"}</option>}
        {view.users.map((user) => (
          <option key={user.id} value={user.id}>
            {formatUserOption(user)}
          </option>
        ))}
      </select>
      <button type="submit" className="button">
        Show
      </button>
    </Form>
  );
}
