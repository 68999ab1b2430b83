import { type Cookie, createCookie } from "@remix-run/node";
import { env } from "../env.server";

/**
 * A signed cookie that scripts cannot read and that other sites do not send. On https it is `Secure`, and the prefix of
 * its name keeps other hosts of the same domain from setting it. Each name has its own signing key, so that the value
 * of one cookie is not valid under another name.
 */
export function createSignedCookie(name: string, options: { path: string; maxAgeSeconds: number }): Cookie {
  const { appOrigin, sessionSecrets } = env();
  const secure = appOrigin.startsWith("https:");
  const prefix = options.path === "/" ? "__Host-" : "__Secure-";
  return createCookie(secure ? prefix + name : name, {
    httpOnly: true,
    sameSite: "lax",
    secure,
    path: options.path,
    maxAge: options.maxAgeSeconds,
    secrets: sessionSecrets.map((secret) => `${name}:${secret}`),
  });
}
