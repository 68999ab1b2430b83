import { type AddressCheckNote, type AddressVerdict, canOverride } from "~/sending/address-note";
import type { ProxyRequest } from "~/sending/proxy-types";
import type { Draft } from "../draft";
import type { BaseUrlView } from "../request/base-url-view";
import type { Answer } from "../response/answer";
import { type Address, findCheckedCountry, findCorrections, isSameAddress, parseAddress } from "./address";

/** What the provider said of an address. */
export interface AddressCheck {
  /** The address as it was asked about. */
  asked: Address;
  verdict: AddressVerdict;
  /** Why there is no verdict; else null. */
  reason: string | null;
  /** The parts that the provider writes otherwise. */
  corrections: Partial<Address>;
  /** False when a program on this machine answered, and no provider. */
  real: boolean;
}

type Verdict = Pick<AddressCheck, "verdict" | "reason" | "corrections">;

/** The call that checks (provider-api.md §2.7); the page's own, so that its answer is not stored. */
const CHECK_CALL = {
  path: "addresses/validate",
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
  auth: { strategy: "env" },
  save: false,
} as const;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const MAX_REASON_CHARS = 300;

/** Asks the provider whether it finds an address. `ask` makes the call through the proxy and never throws. */
export async function checkAddress(
  address: Address,
  { base, userId }: { base: BaseUrlView; userId: string | null },
  ask: (request: ProxyRequest) => Promise<Answer>,
): Promise<AddressCheck> {
  const real = !LOOPBACK.has(new URL(base.url).hostname);
  const home = base.label === "US" ? "US" : "GB";
  const country = address.country === "" ? home : findCheckedCountry(address.country);
  const about = { asked: address, real };
  if (address.address1 === "") return { ...about, ...unchecked("Fill in address line 1 first.") };
  if (country === null) {
    const reason = `The provider checks addresses in the US and the UK only; this one is in ${address.country}.`;
    return { ...about, ...unchecked(reason) };
  }
  const given = Object.entries({ ...address, country }).filter(([, value]) => value !== "");
  const answer = await ask({
    ...CHECK_CALL,
    baseUrl: base.url,
    flags: { appendJson: base.appendJson },
    user_id: userId,
    body: Object.fromEntries(given),
  });
  return { ...about, ...parseCheckAnswer({ ...address, country }, answer) };
}

/** An address that is not found is a success with `is_valid` false; an answer without it is no verdict. */
export function parseCheckAnswer(address: Address, answer: Answer): Verdict {
  if (answer.kind !== "answered")
    return unchecked(answer.kind === "failed" ? answer.message : "It was stopped.");
  const { data, error } = answer.response;
  if (error !== null) return unchecked(error);
  if (typeof data !== "object" || data === null) return unchecked("The provider's answer cannot be read.");
  const fields = data as Record<string, unknown>;
  if (typeof fields.is_valid !== "boolean") {
    return unchecked("The answer has no verdict (is_valid), so it is no real check.");
  }
  if (!fields.is_valid) return { verdict: "not_found", reason: null, corrections: {} };
  const corrections = findCorrections(address, fields);
  const corrected = Object.keys(corrections).length > 0;
  return { verdict: corrected ? "corrected" : "valid", reason: null, corrections };
}

function unchecked(reason: string): Verdict {
  return { verdict: "unchecked", reason: reason.slice(0, MAX_REASON_CHARS), corrections: {} };
}

/** The check once its corrections are taken over: that is how the provider writes the address. */
export function takeCorrections(check: AddressCheck): AddressCheck {
  return { ...check, asked: { ...check.asked, ...check.corrections }, verdict: "valid", corrections: {} };
}

/** What a send keeps of the check: nothing where the address was changed since, or is not the form's. */
export function buildAddressCheckNote(
  check: AddressCheck | null,
  draft: Draft,
): { address_check?: AddressCheckNote } {
  const address = parseAddress(draft.values);
  const applies = check !== null && draft.body === null && isSameAddress(check.asked, address);
  if (!applies || address.address1 === "") return {};
  return { address_check: { verdict: check.verdict, overridden: canOverride(check.verdict) } };
}
