import { env } from "~/platform/env.server";

/** True when one live piece of this cost is more than a person may send alone. It is approved as a list of one row. */
export function pieceNeedsApproval(cost: number): boolean {
  const limit = env().approval?.pieces ?? null;
  return limit !== null && cost > limit;
}
