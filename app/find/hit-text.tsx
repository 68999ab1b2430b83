import { formatStatus } from "~/pieces/status";
import { Badge } from "~/ui/badge";
import type { Hit } from "./found";

/** Shows the title, status and details of a hit. */
export function HitText({ hit }: { hit: Hit }) {
  return (
    <>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{hit.title}</span>
        {hit.status ? <Badge tone={hit.status.tone}>{formatStatus(hit.status.word)}</Badge> : null}
      </span>
      <span className="block text-dim text-small [overflow-wrap:anywhere]">{hit.detail}</span>
    </>
  );
}
