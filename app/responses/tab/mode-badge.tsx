import { FlaskConical, Mail } from "lucide-react";
import { Badge } from "~/ui/badge";
import type { ResponseMode } from "../stored-response";

/** Test or live, by colour, word and icon. */
export function ModeBadge({ mode }: { mode: ResponseMode | null }) {
  if (mode === null) return null;
  const live = mode === "live";
  const Icon = live ? Mail : FlaskConical;
  return (
    <Badge tone={live ? "bad" : "accent"} title={live ? "Real mail" : "A free test"}>
      <span className="flex items-center gap-1">
        <Icon aria-hidden size={12} />
        {live ? "Live" : "Test"}
      </span>
    </Badge>
  );
}
