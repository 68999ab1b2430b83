import { Badge } from "~/ui/badge";

/** The provider's status, coloured by its class. @param refused the answer says so, whatever its status */
export function StatusCodeBadge({ status, refused }: { status: number | null; refused: boolean }) {
  if (status === null) return <Badge tone="bad">No answer</Badge>;
  if (refused) return <Badge tone="bad">{status} refused</Badge>;
  const tone = status < 300 ? "ok" : status < 400 ? "warn" : "bad";
  return <Badge tone={tone}>{status}</Badge>;
}
