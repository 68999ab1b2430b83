import type { StatusTone } from "~/pieces/status";
import { Badge } from "~/ui/badge";

const TONES = { pending: "warn", ok: "ok", bad: "bad", neutral: "neutral" } as const;

/** A status as the provider spells it, in its colour. */
export function StatusBadge({ status, tone }: { status: string; tone: StatusTone }) {
  return <Badge tone={TONES[tone]}>{status.replaceAll("_", " ")}</Badge>;
}
