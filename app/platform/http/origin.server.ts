import { env } from "../env.server";

/**
 * True when the browser's headers say that a request comes from this console. A program sends neither header and passes,
 * but still needs a session.
 */
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
