import type { ReactNode } from "react";
import { Drawing, type DrawingName } from "./drawing";

/** In place of an empty list: what will be there, and the step that fills it. */
export function EmptyState({
  drawing,
  action,
  children,
}: {
  drawing: DrawingName;
  /** The button or link; none where no one needs to do anything. */
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-12 text-center">
      <Drawing name={drawing} />
      <p className="max-w-prose text-balance">{children}</p>
      {action ? <p className="flex flex-wrap justify-center gap-2">{action}</p> : null}
    </div>
  );
}
