import { parseJson, parseRecord } from "~/platform/json-value";
import { callWithForm } from "./piece.server";

/** What the provider says of an address. `unknown`: it answered, and says nothing of it. */
export type AddressLook = "found" | "not_found" | "unknown" | "no_answer";

/** What says nothing of the address: a limit, our key, the account, or a fault of the provider's. */
const NOT_ABOUT_IT = new Set([401, 402, 403, 429]);

/** Asks the provider whether it knows an address, once. Never throws. @param address by the provider's names */
export async function lookAtAddress(
  baseUrl: string,
  address: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<AddressLook> {
  const { result } = await callWithForm(baseUrl, "addresses/validate", { ...address }, timeoutMs);
  if (result.kind !== "answered" || NOT_ABOUT_IT.has(result.status) || result.status >= 500) {
    return "no_answer";
  }
  const { success, data } = parseRecord(parseJson(result.text));
  const valid = parseRecord(data).is_valid;
  if (result.status !== 200 || success !== true || typeof valid !== "boolean") return "unknown";
  return valid ? "found" : "not_found";
}
