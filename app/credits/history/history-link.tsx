import { Link } from "@remix-run/react";
import type { TransactionRow } from "../credits-view";

/** The user of a transaction, as a link to all transactions of that user. */
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
