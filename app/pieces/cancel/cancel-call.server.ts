import {
  type CancelOutcome,
  callCancel,
  type Exchange,
  lookAtPiece,
  type PieceLook,
} from "~/outside/mail-provider/piece.server";
import { callUntilAnswered, logProviderCall } from "../call-until-answered.server";
import { statusLimitMs } from "../lease.server";
import type { CancelCase } from "./cancel-transitions.server";

type Piece = Pick<CancelCase, "userId" | "baseUrl" | "type" | "providerId">;

/** Asks the provider to cancel a piece. Never throws. */
export function callCancelling({
  userId,
  baseUrl,
  type,
  providerId,
}: Piece): Promise<{ exchange: Exchange; outcome: CancelOutcome }> {
  const about = { userId, method: "POST", providerPath: `${type}s/cancel` };
  return callUntilAnswered(async (timeoutMs) => {
    const called = await callCancel({ baseUrl, type, id: providerId ?? "" }, timeoutMs);
    logProviderCall(about, called.exchange.result);
    return called;
  });
}

/** Asks the provider where the piece is. Never throws. */
export function loadProviderStatus({ baseUrl, type, providerId }: Piece): Promise<PieceLook> {
  return lookAtPiece({ baseUrl, type, id: providerId ?? "" }, statusLimitMs());
}
