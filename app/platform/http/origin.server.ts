import { env } from "../env.server";

/**
 * True when a request comes from a page of this console: what the browser says about its origin must agree with
 * `APP_ORIGIN`. A caller that sends neither header is a program and passes; it still needs a session.
 */
export function isSameOrigin(headers: { get(name: string): string | null }): boolean {
  const site = headers.get("Sec-Fetch-Site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const origin = headers.get("Origin");
  return origin === null || origin === env().appOrigin;
}

/** A path of this console from an untrusted address, or `/` where the address leads anywhere else. */
export function safeReturnPath(address: string | null): string {
  if (address === null || /[\p{Cc}\\]/u.test(address)) return "/";
  try {
    const { appOrigin } = env();
    const url = new URL(address, appOrigin);
    // A path that begins with two slashes would be read as another site.
    const ours = url.origin === appOrigin && !url.pathname.startsWith("//");
    return ours ? url.pathname + url.search + url.hash : "/";
  } catch {
    return "/";
  }
}
