import { env } from "../env.server";

/**
 * Whether an unsafe request may be trusted not to come from another site (security.md row 15): what the
 * browser says of its origin must agree with `APP_ORIGIN`. A caller that sends neither header (a script)
 * passes; it still needs a session.
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get("Sec-Fetch-Site");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  const origin = request.headers.get("Origin");
  return origin === null || origin === env().appOrigin;
}

/**
 * Where to go after sign-in, from an untrusted address: a path of our own, or `/` (security.md row 14).
 */
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
