import { type AddressCheckNote, canOverride } from "~/pieces/address-note";
import type { Draft } from "../draft";
import { isSameAddress, parseAddress } from "./address-parts";
import type { AddressCheck } from "./check-address";

/** The note that a send keeps of the check. Empty if the address was changed since, or is not from the form. */
export function buildAddressCheckNote(
  check: AddressCheck | null,
  draft: Draft,
): { address_check?: AddressCheckNote } {
  const address = parseAddress(draft.values);
  const applies = check !== null && draft.body === null && isSameAddress(check.asked, address);
  if (!applies || address.address1 === "") return {};
  return { address_check: { verdict: check.verdict, overridden: canOverride(check.verdict) } };
}
