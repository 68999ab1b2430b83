import { useState } from "react";
import { formatBodiesFailed, RESPONSE_GONE, SERVER_SILENT } from "../messages";
import { toBodies } from "../request-data";
import type { StoredResponse } from "../stored-response";
import type { ShownBodies } from "./stored-view";

/** The bodies of a stored response, or why they cannot be shown. */
export type BodiesState =
  | { state: "waiting" }
  | { state: "loaded"; bodies: ShownBodies }
  | { state: "failed"; message: string };

/**
 * The bodies of one stored response, from `GET /api/responses/:id` when `load` is called.
 * @param given the bodies that the server loaded with the page: null when it could not, undefined when not asked to
 */
export function useBodies(
  id: string,
  given: ShownBodies | null | undefined,
): { shown: BodiesState; load: () => Promise<void> } {
  const [shown, setShown] = useState<BodiesState>(() => {
    if (given) return { state: "loaded", bodies: given };
    return given === null ? { state: "failed", message: RESPONSE_GONE } : { state: "waiting" };
  });
  const load = async () => {
    if (shown.state === "loaded") return;
    setShown({ state: "waiting" });
    setShown(await fetchBodies(id));
  };
  return { shown, load };
}

async function fetchBodies(id: string): Promise<BodiesState> {
  try {
    const reply = await fetch(`/api/responses/${encodeURIComponent(id)}`);
    const { data, error } = (await reply.json()) as { data?: StoredResponse; error?: string };
    if (reply.ok && data) return { state: "loaded", bodies: toBodies(data) };
    return { state: "failed", message: error ?? formatBodiesFailed(reply.status) };
  } catch {
    return { state: "failed", message: SERVER_SILENT };
  }
}
