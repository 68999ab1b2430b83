import { env } from "../env.server";

const HSTS_SECONDS = 31_536_000;

/** The headers of a hardened site, for every answer: pages, JSON and files. */
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
 * The policy of a page. Inline scripts need this answer's nonce; pictures may come from https, as an
 * identity provider's portraits do, and from this machine in development.
 * @param styleHash of the style sheet, where it stands within the page
 */
export function buildPagePolicy({ nonce, styleHash }: { nonce: string; styleHash: string | null }): string {
  const { production, stripe } = env();
  const development = !production;
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    // Vite shows an error of the build over the page with styles of its own.
    `style-src 'self'${styleHash ? ` 'sha256-${styleHash}'` : ""}${development ? " 'unsafe-inline'" : ""}`,
    `img-src 'self' data: https:${development ? " http://localhost:* http://127.0.0.1:*" : ""}`,
    "font-src 'self'",
    `connect-src 'self'${development ? " ws://localhost:* http://localhost:*" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    // A form that buys is answered with a redirect to the payment page, which browsers count as its target.
    ["form-action 'self'", ...(stripe ? [findPaymentOrigin(stripe.apiBase)] : [])].join(" "),
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Stripe's own pages, or those of whatever stands in for Stripe. */
function findPaymentOrigin(apiBase: string): string {
  const { origin, hostname } = new URL(apiBase);
  return hostname === "api.stripe.com" ? "https://checkout.stripe.com" : origin;
}
