import { Form, Link } from "@remix-run/react";
import { formatUserName } from "~/people/user-option";
import { FilterChoice, FilterInput } from "~/ui/filter-field";
import { useMay } from "~/ui/may";
import type { HistoryView } from "../credits-view";
import { TRANSACTION_TYPES } from "../ledger/transaction";

/** The filter is in the address, so that a link shows the same list, and the CSV file has the same rows. */
export function HistoryFilter({ view: { filter, users, filtered, csv, problem } }: { view: HistoryView }) {
  const may = useMay()("credits");
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
      <FilterChoice
        label="User"
        name="user_id"
        value={filter.user_id}
        all="All users"
        options={users.map((user) => [user.id, `${formatUserName(user)}, ${user.username}`])}
      />
      <FilterChoice
        label="Type"
        name="type"
        value={filter.type}
        all="All types"
        options={TRANSACTION_TYPES.map((type) => [type, type])}
      />
      <FilterInput label="From" type="date" name="from" value={filter.from} />
      <FilterInput label="To" type="date" name="to" value={filter.to} />
      <FilterInput
        label="Description or reference"
        type="search"
        name="q"
        value={filter.q}
        maxLength={200}
        className="min-w-0 sm:max-lg:col-span-3"
      />
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
