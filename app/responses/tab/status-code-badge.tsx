import { Badge } from "~/ui/badge";

/** The provider's status, coloured by its class. */
export function StatusCodeBadge({ status }: { status: number | null }) {
  if (status === null) return <Badge tone="bad">No answer</Badge>;
  const tone = status < 300 ? "ok" : status < 400 ? "warn" : "bad";
  return <Badge tone={tone}>{status}</Badge>;
}
