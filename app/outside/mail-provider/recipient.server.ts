import { parseJson, parseRecord } from "~/platform/json-value";
import { formatNoAnswer } from "./call/no-answer";
import { callBase, formatReason } from "./piece.server";
import { parseDetails } from "./recipient-fields";

/** A saved recipient as the provider knows it. */
export type RecipientLook =
  /** Its details by name, texts only. */
  | { kind: "found"; details: Record<string, string> }
  | { kind: "missing"; reason: string }
  | { kind: "unclear"; reason: string };

/** Asks the provider for a saved recipient, once. Never throws. */
export async function lookAtRecipient(
  baseUrl: string,
  id: string,
  timeoutMs: number,
): Promise<RecipientLook> {
  const { result } = await callBase(
    baseUrl,
    "GET",
    `recipients/get/${encodeURIComponent(id)}`,
    null,
    timeoutMs,
  );
  if (result.kind !== "answered") return { kind: "unclear", reason: formatNoAnswer(result, timeoutMs) };
  const body = parseRecord(parseJson(result.text));
  const reason = formatReason(result.status, body);
  if (result.status === 404) return { kind: "missing", reason };
  const found = body.success === undefined ? body : parseRecord(body.data);
  if (result.status !== 200 || body.success === false || String(found.id) !== id) {
    return { kind: "unclear", reason };
  }
  return { kind: "found", details: parseDetails(found) };
}
