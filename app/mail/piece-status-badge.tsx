import { formatStatus, type StatusTone } from "~/pieces/status";
import { Badge } from "~/ui/badge";

/** Shows a status in its colour. */
export function PieceStatusBadge({ status, tone }: { status: string; tone: StatusTone }) {
  return <Badge tone={tone}>{formatStatus(status)}</Badge>;
}
