import type { ReactNode } from "react";

/** A tab that is not built yet says plainly what it will hold. */
export function ComingTab({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-[1180px] px-4 py-8">
      <h1 className="mb-4 text-[18px]">{title}</h1>
      <div className="max-w-prose border-line border-y py-6">
        <p className="mb-2">This tab is not built yet. It will hold:</p>
        <p className="text-dim">{children}</p>
      </div>
    </div>
  );
}
