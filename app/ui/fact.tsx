import type { ReactNode } from "react";
import { formatInteger } from "~/platform/format-integer";

/** A name and its value, as two cells of a `dl` with a grid layout. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-dim">{name}</dt>
      <dd className="min-h-[24px] min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}

/** Names and values as they are sent, like headers. */
export function Pairs({ rows }: { rows: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl className="wire grid grid-cols-[minmax(6rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="json-key [overflow-wrap:anywhere]">{name}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The one word for an absent value. @param why for a pointer and screen readers */
export function Absent({ why = "not known" }: { why?: string }) {
  return (
    <span className="text-dim" title={why}>
      <span aria-hidden>—</span>
      <span className="sr-only">{why}</span>
    </span>
  );
}

/** A headline number in a `dl`, with a remark. */
export function Figure({ label, value, note }: { label: string; value: number; note?: string }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-dim">{label}</dt>
      <dd className="flex flex-col">
        <span className="font-semibold text-figure tabular-nums leading-8">{formatInteger(value)}</span>
        {note ? <span className="text-dim">{note}</span> : null}
      </dd>
    </div>
  );
}
