import type { ReactNode } from "react";

/** Line drawings, 96 by 64. */
const DRAWINGS = {
  envelope: (
    <>
      <rect x="14" y="14" width="68" height="44" rx="3" className="fill-surface" />
      <path d="m15 17 29 23a6 6 0 0 0 7 0L81 17M15 56l24-20m42 20L57 36" />
      <path d="M2 26h8M0 36h10M4 46h6" className="text-accent" />
    </>
  ),
  cards: (
    <>
      <path d="M22 12h20l4 5h30v12H22z" className="fill-surface" />
      <path d="M17 20h17l4 5h43v14H17z" className="fill-surface" />
      <path d="M12 29h15l4 5h53v26H12z" className="fill-surface" />
      <path d="M20 43h30M20 51h18" />
      <path d="m64 49 5 5 9-11" className="text-accent" />
    </>
  ),
  stamps: (
    <>
      <g strokeDasharray="2.5 2.5">
        <rect x="10" y="12" width="36" height="42" className="fill-surface" />
        <rect x="46" y="12" width="36" height="42" className="fill-surface" />
      </g>
      <path d="M15 17h26v26H15zM51 17h26v26H51zM15 49h12M51 49h12" />
      <path d="m15 37 8-8 6 6 4-4 8 8M51 37l8-8 6 6 4-4 8 8" />
      <g className="text-accent">
        <circle cx="76" cy="20" r="13" />
        <path d="M50 16q6-4 13 0M49 22q7-4 14 0M50 28q7-4 14 0" />
      </g>
    </>
  ),
  book: (
    <>
      <rect x="24" y="6" width="52" height="52" rx="3" className="fill-surface" />
      <path d="M19 15h10M19 27h10M19 39h10M19 51h10" />
      <circle cx="53" cy="25" r="7" />
      <path d="M40 45q2-10 13-10t13 10" />
      <path d="M76 12h6v10h-6M76 27h6v10h-6" className="text-accent" />
    </>
  ),
  stack: (
    <>
      <rect x="30" y="4" width="54" height="34" rx="3" className="fill-surface" />
      <rect x="22" y="14" width="54" height="34" rx="3" className="fill-surface" />
      <rect x="14" y="24" width="54" height="34" rx="3" className="fill-surface" />
      <path d="m15 27 22 17a6 6 0 0 0 8 0l22-17" />
      <path d="M2 34h7M0 43h9M4 52h5" className="text-accent" />
    </>
  ),
  key: (
    <>
      <path d="M30 14h48a4 4 0 0 1 4 4v30a4 4 0 0 1-4 4H30L14 33z" className="fill-surface" />
      <circle cx="28" cy="33" r="3.5" />
      <path d="M24.5 33H4" className="text-accent" />
      <circle cx="46" cy="33" r="7" />
      <path d="M53 33h21v7M66 33v5" />
    </>
  ),
} satisfies Record<string, ReactNode>;

interface EmptyStateProps {
  drawing: keyof typeof DRAWINGS;
  /** Button or link of the next step. */
  action?: ReactNode;
  children: ReactNode;
}

/** Replaces an empty list: explains it and offers the step that fills it. */
export function EmptyState({ drawing, action, children }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-12 text-center">
      <svg
        aria-hidden
        width="96"
        height="64"
        viewBox="0 0 96 64"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="shrink-0 text-edge"
      >
        {DRAWINGS[drawing]}
      </svg>
      <p className="max-w-prose text-balance">{children}</p>
      {action ? <p className="flex flex-wrap justify-center gap-2">{action}</p> : null}
    </div>
  );
}
