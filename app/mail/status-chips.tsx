import { Link } from "@remix-run/react";
import type { StatusTone } from "~/pieces/status";
import { type FilterFields, mailAddress, type StatusChip } from "./mail-view";

const DOTS: Record<StatusTone, string> = {
  warn: "bg-warn",
  ok: "bg-ok",
  bad: "bg-live",
  neutral: "bg-edge",
};

/** How many pieces have each status; each chip is a link that filters by it. */
export function StatusChips({ filter, chips }: { filter: FilterFields; chips: StatusChip[] }) {
  return (
    <nav aria-label="Status">
      <ul className="flex flex-wrap gap-1.5">
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
                {count.toLocaleString("en")}
                {more ? "+" : ""}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
