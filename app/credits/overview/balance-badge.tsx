import { Badge } from "~/ui/badge";
import { classifyBalance } from "../credit-user";

const TONES = { comfortable: "strong", middling: "neutral", low: "bad" } as const;

/** A balance by the thresholds of spec §4; a low one says so in words too. */
export function BalanceBadge({ balance }: { balance: number }) {
  const level = classifyBalance(balance);
  return (
    <Badge tone={TONES[level]}>
      <span className="tabular-nums">
        {balance.toLocaleString("en")} {balance === 1 ? "credit" : "credits"}
        {level === "low" ? ", low" : ""}
      </span>
    </Badge>
  );
}
