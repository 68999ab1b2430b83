import { env } from "../env.server";

const HSTS_SECONDS = 31_536_000;

export function buildBaseHeaders() {
  return {
    "Content-Security-Policy":
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    ...(env().appOrigin.startsWith("https:")
      ? { "Strict-Transport-Security": `max-age=${HSTS_SECONDS}; includeSubDomains` }
      : {}),
  };
}

/**
 * Builds the content security policy of a page. Images may come from any https address, because identity providers host
 * portraits.
 * @param styleHash hash of the inline style sheet; null when the page links it
 */
export function buildPagePolicy({ nonce, styleHash }: { nonce: string; styleHash: string | null }): string {
  const { production, stripe } = env();
  const development = !production;
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    // Vite's error overlay has its own styles.
    `style-src 'self'${styleHash ? ` 'sha256-${styleHash}'` : ""}${development ? " 'unsafe-inline'" : ""}`,
    `img-src 'self' data: https:${development ? " http://localhost:* http://127.0.0.1:*" : ""}`,
    "font-src 'self'",
    `connect-src 'self'${development ? " ws://localhost:* http://localhost:*" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    // A purchase form redirects to the payment page, and browsers apply this rule to redirects too.
    ["form-action 'self'", ...(stripe ? [findPaymentOrigin(stripe.apiBase)] : [])].join(" "),
    "frame-ancestors 'none'",
  ].join("; ");
}

function findPaymentOrigin(apiBase: string): string {
  const { origin, hostname } = new URL(apiBase);
  return hostname === "api.stripe.com" ? "https://checkout.stripe.com" : origin;
}

/** True when the browser's headers name this console. A program sends none and passes, but needs a session. */
export function isSameOrigin(headers: { get(name: string): string | null }): boolean {
  const site = headers.get("Sec-Fetch-Site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const origin = headers.get("Origin");
  return origin === null || origin === env().appOrigin;
}

/** Returns the path of an untrusted address within this console, or `/` for any other address. */
export function safeReturnPath(address: string | null): string {
  if (address === null || /[\p{Cc}\\]/u.test(address)) return "/";
  try {
    const { appOrigin } = env();
    const url = new URL(address, appOrigin);
    // Browsers read two leading slashes as another site.
    const ours = url.origin === appOrigin && !url.pathname.startsWith("//");
    return ours ? url.pathname + url.search + url.hash : "/";
  } catch {
    return "/";
  }
}
