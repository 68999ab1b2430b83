import { Link } from "@remix-run/react";
import type { MailList } from "./mail-view";

export function Pages({ list }: { list: Pick<MailList, "older" | "newest"> }) {
  if (!list.older && !list.newest) return null;
  return (
    <nav aria-label="Pages" className="flex gap-4">
      {list.newest ? (
        <Link to={list.newest} className="link">
          Newest
        </Link>
      ) : null}
      {list.older ? (
        <Link to={list.older} className="link">
          Older
        </Link>
      ) : null}
    </nav>
  );
}
