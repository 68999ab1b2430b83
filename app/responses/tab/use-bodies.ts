import { useState } from "react";
import { toBodies } from "../request-data";
import type { StoredResponse } from "../stored-response";
import type { ShownBodies } from "./stored-view";

const GONE = "It cannot be read any more; somebody may have deleted it.";

/** What of a stored response's bodies is here: nothing yet, the bodies, or why they cannot be had. */
export type BodiesState =
  | { state: "waiting" }
  | { state: "read"; bodies: ShownBodies }
  | { state: "failed"; message: string };

/**
 * The bodies of one stored response, from `GET /api/responses/:id` once `load` is called. `given` are those that the
 * address had the server read: null where it could not, undefined where it was not asked to.
 */
export function useBodies(
  id: string,
  given: ShownBodies | null | undefined,
): { shown: BodiesState; load: () => Promise<void> } {
  const [shown, setShown] = useState<BodiesState>(() => {
    if (given) return { state: "read", bodies: given };
    return given === null ? { state: "failed", message: GONE } : { state: "waiting" };
  });
  const load = async () => {
    if (shown.state === "read") return;
    setShown({ state: "waiting" });
    setShown(await fetchBodies(id));
  };
  return { shown, load };
}

async function fetchBodies(id: string): Promise<BodiesState> {
  try {
    const reply = await fetch(`/api/responses/${encodeURIComponent(id)}`);
    const { data, error } = (await reply.json()) as { data?: StoredResponse; error?: string };
    if (reply.ok && data) return { state: "read", bodies: toBodies(data) };
    return { state: "failed", message: error ?? `Request failed with status ${reply.status}` };
  } catch {
    return { state: "failed", message: "Network error: the Mailroom server did not answer." };
  }
}
