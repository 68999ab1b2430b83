import { Link } from "@remix-run/react";
import type { StatusTone } from "~/pieces/status";
import { type MailView, mailAddress, type StatusCount } from "./mail-view";

const FILLS: Record<StatusTone, string> = {
  pending: "fill-warn",
  ok: "fill-ok",
  bad: "fill-live",
  neutral: "fill-edge",
};
const BAR_PX = 200;

/** How many pieces have each status; each number is a link that filters by it. */
export function StatusStrip({ view, counts }: { view: MailView; counts: StatusCount[] }) {
  if (counts.length === 0) return null;
  const most = Math.max(...counts.map(({ count }) => count));
  const all = { user_id: view.userId, type: view.type };
  return (
    <nav aria-label="Status" className="overflow-x-auto">
      <ul className="flex gap-px">
        <li>
          <Link
            to={mailAddress(all)}
            aria-current={view.status === "" ? "page" : undefined}
            className="block h-full border-transparent border-b-2 px-3 py-1.5 text-dim aria-[current]:border-accent aria-[current]:text-ink"
          >
            All
          </Link>
        </li>
        {counts.map(({ status, tone, count, more }) => (
          <li key={status} className="min-w-24 flex-1">
            <Link
              to={mailAddress({ ...all, status })}
              aria-current={view.status === status ? "page" : undefined}
              className="block border-transparent border-b-2 px-3 py-1.5 hover:bg-sunken aria-[current]:border-accent"
            >
              <span className="block whitespace-nowrap text-dim">{status.replaceAll("_", " ")}</span>
              <span className="block text-title tabular-nums">
                {count.toLocaleString("en")}
                {more ? "+" : ""}
              </span>
              <svg viewBox={`0 0 ${BAR_PX} 4`} preserveAspectRatio="none" aria-hidden className="h-1 w-full">
                <rect width={Math.max(4, (count / most) * BAR_PX)} height="4" className={FILLS[tone]} />
              </svg>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
