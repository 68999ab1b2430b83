import { Badge } from "~/ui/badge";

/** The provider's status: 2xx is plain, as spec §9 has it; the others say by colour and number what they are. */
export function StatusBadge({ status }: { status: number | null }) {
  if (status === null) return <Badge tone="bad">No answer</Badge>;
  const tone = status < 300 ? "ok" : status < 400 ? "warn" : "bad";
  return <Badge tone={tone}>{status}</Badge>;
}
