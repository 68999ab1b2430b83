import { FlaskConical, Mail } from "lucide-react";
import { Badge } from "~/ui/badge";
import type { ResponseMode } from "../stored-response";

export function ModeBadge({ mode }: { mode: ResponseMode | null }) {
  if (mode === null) return null;
  const live = mode === "live";
  const Icon = live ? Mail : FlaskConical;
  return (
    <Badge tone={live ? "bad" : "accent"} title={live ? "Real mail" : "A free test"}>
      <Icon aria-hidden size={12} className="mr-1 inline align-[-1px]" />
      {live ? "Live" : "Test"}
    </Badge>
  );
}

/** Shows the provider's status, coloured by its class. @param refused true when a 2xx answer is a refusal */
export function StatusCodeBadge({ status, refused }: { status: number | null; refused: boolean }) {
  if (status === null) return <Badge tone="bad">No answer</Badge>;
  if (refused) return <Badge tone="bad">{status} refused</Badge>;
  const tone = status < 300 ? "ok" : status < 400 ? "warn" : "bad";
  return <Badge tone={tone}>{status}</Badge>;
}
