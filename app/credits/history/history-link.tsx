import { Link } from "@remix-run/react";
import type { TransactionRow } from "../credits-view";

/** Whose transaction it is, and the way to all of theirs. */
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
