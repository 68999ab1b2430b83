import type { ComponentProps, ReactNode } from "react";
import { Moment } from "../moment";
import { useListKeys } from "./use-list-keys";

/** The heading of a column: `unseen` only for screen readers, `wideOnly` not on small screens, whose cells need it too. */
type Heading = string | { numeric: string } | { wideOnly: string } | { unseen: string };

interface TableProps {
  label: string;
  head: readonly Heading[];
  /** The table fits a small screen without scrolling. */
  narrow?: boolean;
  /** `keys`: the keyboard chooses rows, and the table is one tab stop. */
  rows?: "keys";
  children: ReactNode;
}

/** A table that scrolls sideways on small screens. */
export function Table({ label, head, narrow, rows, children }: TableProps) {
  const list = useListKeys<HTMLTableSectionElement>();
  return (
    <section aria-label={label} data-narrow={narrow ? "" : undefined} className="scrolls relative">
      <table className={`cells w-full border-collapse text-left ${narrow ? "" : "max-md:min-w-[720px]"}`}>
        <thead className="border-line border-b text-small text-dim">
          <tr>
            {head.map((heading) => (
              <Head key={JSON.stringify(heading)} heading={heading} />
            ))}
          </tr>
        </thead>
        <tbody ref={rows === "keys" ? list : null}>{children}</tbody>
      </table>
    </section>
  );
}

const WIDE_ONLY = "max-lg:hidden";

function Head({ heading }: { heading: Heading }) {
  const { plain, numeric, wideOnly, unseen }: Partial<Record<string, string>> =
    typeof heading === "string" ? { plain: heading } : heading;
  return (
    <th
      scope="col"
      className={`whitespace-nowrap py-2 pr-5 pl-2 font-semibold last:pr-2 ${numeric ? "text-right" : ""} ${wideOnly ? WIDE_ONLY : ""}`}
    >
      {unseen ? <span className="sr-only">{unseen}</span> : (plain ?? numeric ?? wideOnly)}
    </th>
  );
}

export function Row({ children }: { children: ReactNode }) {
  return (
    <tr data-row className="border-line border-b">
      {children}
    </tr>
  );
}

const WRAPS = {
  name: "min-w-[10rem] max-w-[28rem] [overflow-wrap:anywhere] in-data-narrow:max-sm:min-w-[6.5rem]",
  text: "min-w-[14rem] [overflow-wrap:anywhere] in-data-narrow:max-sm:min-w-[9rem]",
};
/** Class of a cell with a number. */
export const NUMERIC = "whitespace-nowrap text-right tabular-nums";

interface CellProps {
  numeric?: boolean;
  wraps?: keyof typeof WRAPS;
  wideOnly?: boolean;
  across?: number;
  children: ReactNode;
}

export function Cell({ numeric, wraps, wideOnly, across = 1, children }: CellProps) {
  return (
    <td
      colSpan={across}
      className={`${numeric ? NUMERIC : ""} ${wraps ? WRAPS[wraps] : ""} ${wideOnly ? WIDE_ONLY : ""}`}
    >
      {children}
    </td>
  );
}

/** A {@link Cell} with a {@link Moment}. */
export function MomentCell({
  at,
  absolute,
  wideOnly,
}: ComponentProps<typeof Moment> & { wideOnly?: boolean }) {
  return (
    <Cell wideOnly={wideOnly}>
      <Moment at={at} absolute={absolute} />
    </Cell>
  );
}
