import { callSimulate, canSimulate } from "~/outside/mail-provider/simulate.server";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { findCaseById } from "../cancel/cancel-transitions.server";
import { NO_ITEM } from "../cancel/messages";
import { formatNotSimulated, formatSimulated, NO_SIMULATION } from "../messages";
import { refreshItem } from "./refresh-status.server";

/**
 * Has a provider on this machine move a piece to its next status, and asks for that status. Fails with `not_found`,
 * `bad_input` for a piece of any other provider, `provider_refused`, or as the database does.
 */
export async function simulateNextStatus(id: string): Promise<Outcome<string>> {
  const found = await withDatabase((db) => findCaseById(db, id));
  if (!found.ok) return found;
  const piece = found.value;
  if (!piece) return fail("not_found", NO_ITEM);
  const { baseUrl, type, providerId, keyFingerprint } = piece;
  if (providerId === null || piece.isTest || !canSimulate(baseUrl)) return fail("bad_input", NO_SIMULATION);
  const problem = await callSimulate(
    { baseUrl, type, id: providerId, keyFingerprint },
    env().providerTimeoutMs,
  );
  if (problem !== null) return fail("provider_refused", formatNotSimulated(problem));
  const asked = await refreshItem(id);
  if (!asked.ok) return asked;
  return succeed(formatSimulated(asked.value.item?.status ?? null));
}
