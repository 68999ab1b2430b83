import { type Cookie, createCookie } from "@remix-run/node";
import { env } from "../env.server";

/**
 * Creates a signed cookie that scripts cannot read and other sites do not send. On https it is `Secure`, and its prefix
 * prevents other hosts of the domain from setting it. Each name has its own signing key, so that a value is valid under one
 * name only.
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
