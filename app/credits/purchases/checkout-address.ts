import { formatAddressTooLong, formatNotOurAddress } from "../messages";

/** The addresses that a payment page leads back to. */

const MAX_CHARS = 2_000;

/** Why a buyer must not be sent to an address after the payment; null when it belongs to this console. */
export function findAddressProblem(name: string, address: string, appOrigin: string): string | null {
  const refusal = formatNotOurAddress(name, appOrigin);
  if (address.length > MAX_CHARS) return formatAddressTooLong(name, MAX_CHARS);
  // `URL` would silently drop or rewrite these.
  if (/[\p{Cc}\p{Surrogate}\\\s]/u.test(address)) return refusal;
  if (!URL.canParse(address)) return refusal;
  const url = new URL(address);
  return url.origin === appOrigin && url.username === "" && url.password === "" ? null : refusal;
}

/** The address with `checkout=<id>` in its query. Edited as text, so that Stripe's `{CHECKOUT_SESSION_ID}` survives. */
export function addCheckoutId(address: string, id: string): string {
  const url = new URL(address);
  const kept = url.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !/^checkout(=|$)/.test(pair));
  url.search = `?${[...kept, `checkout=${id}`].join("&")}`;
  return url.href;
}
