import { findHome } from "~/outside/mail-provider/account-home";
import { parseRecord } from "~/platform/json-value";
import type { BaseUrlView } from "../draft/draft";
import { ADDRESS_PARTS, type Address, type AddressCheck, tidy } from "../draft/recipients";
import type { Answer } from "./answer";
import type { Ask } from "./use-send";

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
/** Longer lines in the provider's answer are ignored: no address has them. */
const MAX_LINE_CHARS = 200;
const COUNTRY_CODES = new Map([
  ["us", "US"],
  ["usa", "US"],
  ["united states", "US"],
  ["gb", "GB"],
  ["uk", "GB"],
  ["united kingdom", "GB"],
]);

/** Asks the provider whether it finds an address. An address without a country is checked in the account's country. */
export async function checkAddress(
  address: Address,
  { base, userId }: { base: BaseUrlView; userId: string | null },
  ask: Ask,
): Promise<AddressCheck> {
  const country = address.country === "" ? findHome(base) : findCheckedCountry(address.country);
  const checked = { address, real: !LOOPBACK.has(new URL(base.url).hostname) };
  if (address.address1 === "") return { ...checked, ...unchecked(ADDRESS_LINE_MISSING) };
  if (country === null) return { ...checked, ...unchecked(formatUncheckedCountry(address.country)) };
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
  const fields = parseRecord(data);
  if (typeof fields.is_valid !== "boolean") return unchecked(ADDRESS_NO_RESULT);
  if (!fields.is_valid) return { verdict: "not_found", reason: null, corrections: {} };
  const corrections = findCorrections(address, fields);
  const verdict = Object.keys(corrections).length > 0 ? "corrected" : "valid";
  return { verdict, reason: null, corrections };
}

function unchecked(reason: string): CheckResult {
  return { verdict: "unchecked", reason: reason.slice(0, MAX_REASON_CHARS), corrections: {} };
}

/** Finds the ISO code of a country that the provider checks (US and UK), else null. */
function findCheckedCountry(text: string): string | null {
  return COUNTRY_CODES.get(text.toLowerCase()) ?? null;
}

/**
 * The parts that an answer of `addresses/validate` corrects. The provider returns a US state in `county`. Differences
 * in case are ignored. A part that the answer leaves empty is kept, except an `address2` that moved into the first line.
 */
export function findCorrections(address: Address, answer: Record<string, unknown>): Partial<Address> {
  const getLine = (...names: string[]) => names.map((name) => parseLine(answer[name])).find(Boolean) ?? "";
  const written: Partial<Address> = {
    address1: getLine("address1"),
    address2: [getLine("address2"), getLine("address3")].filter(Boolean).join(", "),
    city: getLine("city"),
    state: getLine("county", "state"),
    postcode: getLine("postcode", "zipcode"),
    country: findCheckedCountry(getLine("country")) ?? "",
  };
  const corrections: Partial<Address> = {};
  for (const part of ADDRESS_PARTS) {
    const to = written[part];
    if (to && to.toLowerCase() !== address[part].toLowerCase()) corrections[part] = to;
  }
  const second = address.address2.toLowerCase();
  const moved = corrections.address1?.toLowerCase().includes(second);
  if (second !== "" && written.address2 === "" && moved) corrections.address2 = "";
  return corrections;
}

function parseLine(value: unknown): string {
  return typeof value === "string" && value.length <= MAX_LINE_CHARS ? tidy(value) : "";
}
