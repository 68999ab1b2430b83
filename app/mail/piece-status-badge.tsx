import type { StatusTone } from "~/pieces/status";
import { Badge } from "~/ui/badge";

/** Shows a status as the provider spells it, in its colour. */
export function PieceStatusBadge({ status, tone }: { status: string; tone: StatusTone }) {
  return <Badge tone={tone}>{status.replaceAll("_", " ")}</Badge>;
}
