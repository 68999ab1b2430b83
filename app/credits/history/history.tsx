import { Link, useLocation } from "@remix-run/react";
import { formatUserName } from "~/people/user-option";
import { formatInteger } from "~/platform/format-integer";
import { Badge } from "~/ui/badge";
import { CopyButton } from "~/ui/copy-button";
import { EmptyState } from "~/ui/empty/empty-state";
import { Absent } from "~/ui/fact";
import { FilterChoice, FilterForm, FilterInput } from "~/ui/field";
import { ButtonLink, Pages, TextLink } from "~/ui/links";
import { Cell, MomentCell, Table } from "~/ui/list/table";
import { useMay } from "~/ui/may";
import { ProblemNotice } from "~/ui/notice";
import { useHydrated } from "~/ui/use-hydrated";
import type { HistoryView } from "../credits-view.server";
import {
  ledgerAddress,
  shortenReference,
  TRANSACTION_TYPES,
  type TransactionType,
} from "../ledger/transaction";
import type { TransactionRow } from "./transactions.server";

const TONES: Record<TransactionType, "neutral" | "ok" | "accent" | "warn"> = {
  debit: "neutral",
  credit: "ok",
  purchase: "accent",
  refund: "warn",
  release: "neutral",
  reserve: "neutral",
};

/** The Transaction History view: every change of every balance, newest first. */
export function History({ view }: { view: HistoryView }) {
  return (
    <>
      <HistoryFilter view={view} />
      {view.problem ? <ProblemNotice>{view.problem}</ProblemNotice> : <TransactionTable view={view} />}
    </>
  );
}

/** A filter in the address, so that a link shows the same list and the CSV file has the same rows. */
function HistoryFilter({ view: { filter, users, filtered, csv, problem } }: { view: HistoryView }) {
  const may = useMay()("credits");
  return (
    <FilterForm
      values={filter}
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
        {filtered ? <TextLink to="/users?view=history">Clear filter</TextLink> : null}
      </p>
    </FilterForm>
  );
}

function TransactionTable({ view }: { view: HistoryView }) {
  if (view.transactions.length === 0) return <NoTransactions view={view} />;
  return (
    <>
      <Table
        label="Transactions"
        rows="keys"
        head={[
          "Row",
          "When (UTC)",
          { numeric: "Amount" },
          { numeric: "Balance after" },
          "Type",
          "User",
          "Description",
          "By",
          "Reference",
        ]}
      >
        {view.transactions.map((row) => (
          <TransactionLine key={row.id} row={row} />
        ))}
      </Table>
      <Pages newest={view.newest} older={view.older} end="No older transactions." />
    </>
  );
}

function TransactionLine({ row }: { row: TransactionRow }) {
  const { hash } = useLocation();
  // A browser marks the target of an address only when it loads the page.
  const marked = useHydrated() && hash === `#entry-${row.id}`;
  return (
    <tr
      data-row
      id={`entry-${row.id}`}
      className={`scroll-mt-16 border-line border-b target:bg-accent-wash ${marked ? "bg-accent-wash" : ""}`}
    >
      <Cell>
        <Link to={ledgerAddress(row.id)} className="wire link" title="Link to this row">
          {row.id}
        </Link>
      </Cell>
      <MomentCell at={row.at} absolute />
      <Cell numeric>{row.change}</Cell>
      <Cell numeric>{formatInteger(row.balanceAfter)}</Cell>
      <Cell>
        <Badge tone={TONES[row.type]}>{row.type}</Badge>
      </Cell>
      <Cell wraps="name">
        <HistoryLink row={row} />
      </Cell>
      <Cell wraps="text">
        {row.purchaseTo ? <TextLink to={row.purchaseTo}>{row.description}</TextLink> : row.description}
      </Cell>
      <Cell wraps="name">{row.actor}</Cell>
      <Cell>{row.reference ? <Reference id={row.reference} /> : <Absent why="none" />}</Cell>
    </tr>
  );
}

export function HistoryLink({ row }: { row: TransactionRow }) {
  return (
    <Link
      to={`/users?${new URLSearchParams({ view: "history", user_id: row.userId })}`}
      className="hover:underline"
      title="Their transactions"
    >
      {row.user}
    </Link>
  );
}

/** A shortened reference; the copy button copies all of it. */
function Reference({ id }: { id: string }) {
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      <Link to={`/sends/${encodeURIComponent(id)}`} className="wire link" title={id}>
        {shortenReference(id)}
      </Link>
      <CopyButton text={id} inline subject={`reference ${shortenReference(id)}`} />
    </span>
  );
}

function NoTransactions({ view }: { view: HistoryView }) {
  const action = view.filtered ? (
    <ButtonLink to="/users?view=history">Show all</ButtonLink>
  ) : (
    <ButtonLink to="/users?view=purchase">Buy credits</ButtonLink>
  );
  return (
    <EmptyState drawing="stamps" action={action}>
      {view.filtered
        ? "No transactions match this filter."
        : "No transactions yet. Purchases, mail, refunds and adjustments appear here."}
    </EmptyState>
  );
}
