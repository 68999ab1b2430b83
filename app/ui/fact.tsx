import type { ReactNode } from "react";

/** A name and what stands for it, as two cells of a `dl` laid out as a grid. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-dim">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
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
