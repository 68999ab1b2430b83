import { Link } from "@remix-run/react";
import { formatUserOption } from "~/people/user-option";
import type { StatusTone } from "~/pieces/status";
import { formatInteger } from "~/platform/format-integer";
import { FilterChoice, FilterForm, FilterInput } from "~/ui/field";
import { TextLink } from "~/ui/links";
import { mailAddress } from "./mail-address";
import type { MailView, StatusChip } from "./mail-view.server";
import { ALL_USERS, type FilterFields } from "./piece-filter";

const CHOICE = "min-w-40 flex-1 max-sm:w-full max-sm:flex-none";
const DAY = "max-sm:min-w-0 max-sm:flex-1";

/** Filters the mail by user and other fields. With JavaScript a choice applies at once, without it by the button. */
export function FilterBar({ view }: { view: MailView }) {
  const { filter } = view;
  const pieces = filter.type !== "recipient";
  return (
    <FilterForm
      values={filter}
      action="/mail"
      role="search"
      aria-label="Filter mail"
      className="flex flex-wrap items-end gap-x-3 gap-y-2"
    >
      <input type="hidden" name="type" value={filter.type} />
      <input type="hidden" name="status" value={filter.status} />
      {filter.recipient === "" ? null : <input type="hidden" name="recipient" value={filter.recipient} />}
      <FilterInput
        label="Search"
        type="search"
        name="q"
        placeholder={pieces ? "Name, city, postcode, mail ID" : "Name, city, postcode, e-mail"}
        value={filter.q}
        maxLength={200}
        className="min-w-56 flex-[2] max-sm:w-full max-sm:flex-none"
      />
      <FilterChoice
        label="User"
        name="user_id"
        value={filter.user_id}
        options={[
          [ALL_USERS, "All users"],
          ...(filter.user_id === "" ? [["", "No users"] as const] : []),
          ...view.users.map((user) => [user.id, formatUserOption(user)] as const),
        ]}
        onChange={(event) => event.currentTarget.form?.requestSubmit()}
        className={CHOICE}
      />
      {pieces ? (
        <>
          {view.lists.length > 0 ? (
            <FilterChoice
              label="List"
              name="list"
              value={filter.list}
              all="Any or none"
              options={view.lists.map(({ id, name }) => [id, name])}
              onChange={(event) => event.currentTarget.form?.requestSubmit()}
              className={CHOICE}
            />
          ) : null}
          <FilterInput label="From (UTC)" type="date" name="from" value={filter.from} className={DAY} />
          <FilterInput label="To (UTC)" type="date" name="to" value={filter.to} className={DAY} />
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
    </FilterForm>
  );
}

function Months({ view: { months, filter } }: { view: MailView }) {
  return (
    <span className="flex min-h-[30px] items-center gap-x-3 max-sm:w-full">
      {months.map(({ name, from, to }) => (
        <TextLink
          key={from}
          to={mailAddress({ ...filter, from, to })}
          aria-current={filter.from === from && filter.to === to ? "date" : undefined}
        >
          {name}
        </TextLink>
      ))}
    </span>
  );
}

const DOTS: Record<StatusTone, string> = { warn: "bg-warn", ok: "bg-ok", bad: "bg-live", neutral: "bg-edge" };

/** Shows the number of pieces of each status; each chip is a link that filters by it. */
export function StatusChips({ filter, chips }: { filter: FilterFields; chips: StatusChip[] }) {
  return (
    <nav aria-label="Status">
      <ul className="scrolls flex flex-wrap gap-1.5 max-sm:flex-nowrap">
        {chips.map(({ status, label, tone, count, more }) => (
          <li key={status}>
            <Link
              to={mailAddress({ ...filter, status })}
              aria-current={filter.status === status ? "page" : undefined}
              className="flex min-h-[28px] items-center gap-1.5 whitespace-nowrap rounded-full border border-line bg-surface px-2.5 hover:border-edge aria-[current]:border-accent aria-[current]:bg-accent-wash aria-[current]:text-accent"
            >
              {status === "" ? null : <span aria-hidden className={`size-1.5 rounded-full ${DOTS[tone]}`} />}
              {label}{" "}
              <span className="font-semibold tabular-nums">
                {formatInteger(count)}
                {more ? "+" : ""}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
