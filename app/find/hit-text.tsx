import { PieceStatusBadge } from "~/mail/piece-status-badge";
import type { Hit } from "./found";

/** Shows the title, status and details of a hit. */
export function HitText({ hit }: { hit: Hit }) {
  return (
    <>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{hit.title}</span>
        {hit.status ? <PieceStatusBadge status={hit.status.word} tone={hit.status.tone} /> : null}
      </span>
      <span className="block text-dim text-small [overflow-wrap:anywhere]">{hit.detail}</span>
    </>
  );
}
