import { loadProviderStatus } from "../cancel/cancel-call.server";
import type { CancelCase } from "../cancel/cancel-transitions.server";
import { isCancelledWord } from "../status";

/**
 * True when the provider itself confirms that a piece is cancelled. An event costs money here, and one secret may sign those
 * of several accounts, in which equal ids are other pieces. False also where it cannot be asked now. Never throws.
 */
export async function isCancelledAtProvider(piece: CancelCase): Promise<boolean> {
  const found = await loadProviderStatus(piece);
  return found.kind === "found" && isCancelledWord(found.status);
}
