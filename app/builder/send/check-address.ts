import { findHome } from "~/outside/mail-provider/home-country";
import type { ProxyRequest } from "~/proxy/send-request.schema.server";
import { type Address, type AddressCheck, findCheckedCountry, findCorrections } from "../draft/address";
import type { BaseUrlView } from "../draft/draft";
import type { Answer } from "./answer";

export function formatUncheckedCountry(country: string): string {
  const isCode = /^[A-Z]{2}$/.test(country);
  const name = isCode ? new Intl.DisplayNames("en", { type: "region" }).of(country) : country;
  return `Addresses in ${name} cannot be checked. You can send it.`;
}

export const ADDRESS_LINE_MISSING = "Fill in address line 1 first.";

export const ADDRESS_UNREADABLE = "The provider's answer could not be read.";

export const ADDRESS_NO_RESULT = "The provider did not say whether the address is valid (no is_valid).";

type CheckResult = Pick<AddressCheck, "verdict" | "reason" | "corrections">;

/** The call that checks an address. The page makes it for itself, so its answer is not stored. */
const CHECK_CALL = {
  path: "addresses/validate",
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
  auth: { strategy: "env" },
  save: false,
} as const;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const MAX_REASON_CHARS = 300;

/**
 * Asks the provider whether it finds an address. An address without a country is checked in the account's country.
 * @param ask makes the call through the proxy and never throws
 */
export async function checkAddress(
  address: Address,
  { base, userId }: { base: BaseUrlView; userId: string | null },
  ask: (request: ProxyRequest) => Promise<Answer>,
): Promise<AddressCheck> {
  const real = !LOOPBACK.has(new URL(base.url).hostname);
  const home = findHome(base);
  const country = address.country === "" ? home : findCheckedCountry(address.country);
  const checked = { address, real };
  if (address.address1 === "") return { ...checked, ...unchecked(ADDRESS_LINE_MISSING) };
  if (country === null) {
    return { ...checked, ...unchecked(formatUncheckedCountry(address.country)) };
  }
  const filled = Object.entries({ ...address, country }).filter(([, value]) => value !== "");
  const answer = await ask({
    ...CHECK_CALL,
    baseUrl: base.url,
    flags: { appendJson: base.appendJson },
    user_id: userId,
    body: Object.fromEntries(filled),
  });
  return { ...checked, ...parseCheckAnswer({ ...address, country }, answer) };
}

/** Parses the check's answer. An address that is not found is a success with `is_valid` false. */
export function parseCheckAnswer(address: Address, answer: Answer): CheckResult {
  if (answer.kind !== "answered")
    return unchecked(answer.kind === "failed" ? answer.message : "The check was stopped.");
  const { data, error } = answer.response;
  if (error !== null) return unchecked(error);
  if (typeof data !== "object" || data === null) return unchecked(ADDRESS_UNREADABLE);
  const fields = data as Record<string, unknown>;
  if (typeof fields.is_valid !== "boolean") {
    return unchecked(ADDRESS_NO_RESULT);
  }
  if (!fields.is_valid) return { verdict: "not_found", reason: null, corrections: {} };
  const corrections = findCorrections(address, fields);
  const corrected = Object.keys(corrections).length > 0;
  return { verdict: corrected ? "corrected" : "valid", reason: null, corrections };
}

function unchecked(reason: string): CheckResult {
  return { verdict: "unchecked", reason: reason.slice(0, MAX_REASON_CHARS), corrections: {} };
}
