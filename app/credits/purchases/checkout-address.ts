/** Addresses that a payment page leads back to. */

const MAX_CHARS = 2_000;

/** Why a buyer must not be led back there, as a sentence; null when it is an address of our own. */
export function findAddressProblem(name: string, address: string, appOrigin: string): string | null {
  const refusal = `${name} must be an address of this console, beginning with ${appOrigin}/.`;
  if (address.length > MAX_CHARS) return `${name} has ${MAX_CHARS} characters at most.`;
  // `URL` would drop or rewrite these without a word.
  if (/[\p{Cc}\p{Surrogate}\\\s]/u.test(address)) return refusal;
  if (!URL.canParse(address)) return refusal;
  const url = new URL(address);
  return url.origin === appOrigin && url.username === "" && url.password === "" ? null : refusal;
}

/** The address with `checkout=<id>` in its query. Written as text: Stripe's `{CHECKOUT_SESSION_ID}` must stay. */
export function addCheckoutId(address: string, id: string): string {
  const url = new URL(address);
  const kept = url.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !/^checkout(=|$)/.test(pair));
  url.search = `?${[...kept, `checkout=${id}`].join("&")}`;
  return url.href;
}
