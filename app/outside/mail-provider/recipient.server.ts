import { parseJson, parseRecord } from "~/platform/json-value";
import { formatNoAnswer } from "./call/no-answer";
import { callBase, callWithForm, formatReason } from "./piece.server";
import { parseDetails } from "./recipient-fields";

/** The provider's answer about a saved recipient. */
export type FetchedRecipient =
  | { kind: "found"; details: Record<string, string> }
  | { kind: "missing"; reason: string }
  | { kind: "unclear"; reason: string };

/** Fetches a saved recipient. Never throws. */
export async function fetchRecipient(
  baseUrl: string,
  id: string,
  timeoutMs: number,
): Promise<FetchedRecipient> {
  const path = `recipients/get/${encodeURIComponent(id)}`;
  const { result } = await callBase(baseUrl, "GET", path, null, timeoutMs);
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

/** The provider's verdict on an address. `unknown`: an answer without a verdict. */
type AddressValidity = "found" | "not_found" | "unknown" | "no_answer";

/** Statuses about a limit, our key or the account instead of the address. */
const NOT_ABOUT_IT = new Set([401, 402, 403, 429]);

/** Checks an address with the provider. Never throws. @param address details by the provider's names */
export async function validateAddress(
  baseUrl: string,
  address: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<AddressValidity> {
  const { result } = await callWithForm(baseUrl, "addresses/validate", { ...address }, timeoutMs);
  if (result.kind !== "answered" || NOT_ABOUT_IT.has(result.status) || result.status >= 500) {
    return "no_answer";
  }
  const { success, data } = parseRecord(parseJson(result.text));
  const valid = parseRecord(data).is_valid;
  if (result.status !== 200 || success !== true || typeof valid !== "boolean") return "unknown";
  return valid ? "found" : "not_found";
}
