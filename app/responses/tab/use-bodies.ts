import { useState } from "react";
import { findMemberText } from "~/platform/json-text";
import { parseJson, parseRecord } from "~/platform/json-value";
import { formatBodiesFailed, RESPONSE_GONE, SERVER_SILENT } from "../messages";
import { toBodies } from "../request-data";
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
    const text = await reply.text();
    const { data, error } = parseRecord(parseJson(text));
    if (!reply.ok || !data) {
      return { state: "failed", message: String(error ?? formatBodiesFailed(reply.status)) };
    }
    // Not of the parsed answer: a parse would change numbers and names.
    const [request, response] = ["request_data", "response_data"].map((name) =>
      findMemberText(findMemberText(text, "data") ?? "", name),
    );
    return {
      state: "loaded",
      bodies: toBodies(request ?? null, response === "null" ? null : (response ?? null)),
    };
  } catch {
    return { state: "failed", message: SERVER_SILENT };
  }
}
