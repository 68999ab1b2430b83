import { Form } from "@remix-run/react";
import { CATEGORIES } from "~/catalogue/categories";
import { formatUserOption, type UserOption } from "~/people/user-option";
import { FilterChoice, FilterInput } from "~/ui/filter-field";
import { METHODS, MODES } from "../stored-response";
import { COLUMN_LABELS, COLUMNS } from "./stored-view";
import type { StoredView } from "./stored-view.server";

const STATUSES = "2xx 3xx 4xx 5xx none 200 201 400 401 402 404 409 422 429 500 502 503"
  .split(" ")
  .map((status) => [status, status === "none" ? "No answer" : status] as const);

const MODE_OPTIONS = MODES.map((mode) => [mode, mode === "test" ? "Test" : "Live"] as const);

/** Filters the list by its address, so that a link shows the same list, and files have the same rows. */
export function FilterForm({
  view,
  users,
  chosen,
}: {
  view: StoredView;
  users: readonly UserOption[];
  /** ID of the response that is chosen to be compared; it survives a new filter. */
  chosen: string | null;
}) {
  const { filter } = view;
  const { status, method, mode, tag, from, to } = filter;
  const folded = [status, method, mode, tag, from, to].every((value) => value === "");
  return (
    <Form
      // A new address resets the fields.
      key={JSON.stringify([filter, view.columns])}
      method="get"
      action="/stored"
      role="search"
      aria-label="Filters & Search"
      className="grid items-end gap-x-3 gap-y-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,1.4fr)_minmax(0,3fr)_auto]"
    >
      <FilterChoice
        label="User"
        name="user_id"
        value={filter.user_id}
        all="All users"
        options={users.map((user) => [user.id, formatUserOption(user)])}
      />
      <FilterChoice
        label="Category"
        name="category"
        value={filter.category}
        all="All categories"
        options={CATEGORIES.map(({ id, label }) => [id, label])}
      />
      <FilterInput
        label="Search"
        type="search"
        name="search"
        placeholder="Path, method, category, preset, user, tag or recipient"
        value={filter.search}
        maxLength={200}
      />
      <button type="submit" className="button">
        Filter
      </button>
      <details open={!folded} className="open:col-span-full sm:col-span-2">
        <summary className="link w-fit text-dim">Status, method, test or live, tag, dates</summary>
        <div className="mt-2 grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-3 md:grid-cols-[1fr_1fr_1fr_2fr_auto_auto]">
          <FilterChoice
            label="Status"
            name="status"
            value={filter.status}
            all="Any status"
            options={STATUSES}
          />
          <FilterChoice
            label="Method"
            name="method"
            value={filter.method}
            all="Any method"
            options={METHODS.map((method) => [method, method])}
          />
          <FilterChoice
            label="Test or live"
            name="mode"
            value={filter.mode}
            all="Any mail, and all else"
            options={MODE_OPTIONS}
          />
          <FilterInput label="Tag" name="tag" value={filter.tag} maxLength={100} />
          <FilterInput label="From (UTC)" type="date" name="from" value={filter.from} />
          <FilterInput label="To (UTC)" type="date" name="to" value={filter.to} />
        </div>
      </details>
      <details open={view.columns.length < COLUMNS.length} className="open:col-span-full sm:col-span-2">
        <summary className="link w-fit text-dim">Columns</summary>
        <fieldset className="mt-2 flex flex-wrap gap-x-5 gap-y-1">
          <legend className="sr-only">Columns</legend>
          {COLUMNS.map((column) => (
            <label key={column} className="flex items-center gap-1.5">
              <input
                type="checkbox"
                name="columns"
                value={column}
                defaultChecked={view.columns.includes(column)}
                className="size-4"
              />
              {COLUMN_LABELS[column]}
            </label>
          ))}
        </fieldset>
      </details>
      {chosen === null ? null : <input type="hidden" name="compare" value={chosen} />}
    </Form>
  );
}
