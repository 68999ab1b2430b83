import { Form, Link } from "@remix-run/react";
import { formatUserName } from "~/people/user-option";
import { useMay } from "~/ui/may";
import type { HistoryView } from "../credits-view";
import { TRANSACTION_TYPES } from "../ledger/transaction";

/** The filter is in the address, so that a link shows the same list, and the CSV file has the same rows. */
export function HistoryFilter({ view: { filter, users, filtered, csv, problem } }: { view: HistoryView }) {
  const may = useMay()("credits");
  const known = users.some((user) => user.id === filter.user_id);
  return (
    <Form
      // A new address resets the fields.
      key={JSON.stringify(filter)}
      method="get"
      action="/users"
      aria-label="Filter"
      className="grid grid-cols-2 items-end gap-x-3 gap-y-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto_auto] lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto_auto_minmax(0,2fr)_auto]"
    >
      <input type="hidden" name="view" value="history" />
      <label className="min-w-0">
        <span className="mb-1 block text-dim">User</span>
        <select name="user_id" defaultValue={filter.user_id} className="control">
          <option value="">All users</option>
          {filter.user_id && !known ? <option value={filter.user_id}>{filter.user_id}</option> : null}
          {users.map((user) => (
            <option key={user.id} value={user.id}>
              {formatUserName(user)}, {user.username}
            </option>
          ))}
        </select>
      </label>
      <label className="min-w-0">
        <span className="mb-1 block text-dim">Type</span>
        <select name="type" defaultValue={filter.type} className="control">
          <option value="">All types</option>
          {TRANSACTION_TYPES.map((type) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </select>
      </label>
      <label className="min-w-0">
        <span className="mb-1 block text-dim">From</span>
        <input type="date" name="from" defaultValue={filter.from} className="control" />
      </label>
      <label className="min-w-0">
        <span className="mb-1 block text-dim">To</span>
        <input type="date" name="to" defaultValue={filter.to} className="control" />
      </label>
      <label className="min-w-0 sm:max-lg:col-span-3">
        <span className="mb-1 block text-dim">Description or reference</span>
        <input type="search" name="q" defaultValue={filter.q} maxLength={200} className="control" />
      </label>
      <button type="submit" className="button">
        Filter
      </button>
      <p className="col-span-full flex gap-4">
        {problem || !may ? null : (
          <a href={csv} download className="link">
            Download CSV
          </a>
        )}
        {filtered ? (
          <Link to="/users?view=history" className="link">
            Clear filter
          </Link>
        ) : null}
      </p>
    </Form>
  );
}
