import { z } from "zod";
import type { IdentitySettings } from "~/platform/env.server";
import type { SessionOwner } from "~/platform/http/session.server";
import { fetchJson, isTrustedAddress } from "./discovery.server";
import { SignInError } from "./sign-in-problem";

const MAX_PICTURE_LENGTH = 1_000;

const groups = z.array(z.string()).max(10_000).catch([]);

/** Invalid optional claims count as absent. Only the subject is required. */
const claims = z.object({
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  name: z
    .string()
    .trim()
    .min(1)
    .transform((name) => [...name].slice(0, 100).join(""))
    .nullable()
    .catch(null),
  email: z.string().trim().min(3).max(254).nullable().catch(null),
  email_verified: z.boolean().catch(false),
  picture: z.string().max(MAX_PICTURE_LENGTH).refine(isPicture).nullable().catch(null),
  groups,
});

const idTokenClaims = z.object({
  iss: z.string(),
  sub: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  /** Seconds since 1970. */
  exp: z.number(),
  nonce: z.string(),
  groups,
  /** Seconds since 1970. */
  auth_time: z.number().nullish().catch(null),
});

/** Tolerated difference between our clock and the identity provider's. */
const CLOCK_SKEW_MS = 60_000;

/**
 * Parses the subject, groups and time of authentication of an ID token for this login. The signature need not be checked,
 * because the token comes directly from the token endpoint (OpenID Connect Core 1.0, section 3.1.3.7).
 * @throws SignInError `token_failed`, and `auth_time_*` with a `maxAgeMs`
 */
export function parseIdToken(
  idToken: string,
  expected: { issuer: string; clientId: string; nonce: string; maxAgeMs: number | null },
  now = Date.now(),
): { subject: string; groups: string[]; signedInAt: number } {
  const parsed = idTokenClaims.safeParse(decodePayload(idToken));
  if (!parsed.success) throw new SignInError("token_failed");
  const { iss, sub, aud, exp, nonce } = parsed.data;
  const isForUs = iss === expected.issuer && [aud].flat().includes(expected.clientId);
  if (!isForUs || nonce !== expected.nonce || exp * 1000 + CLOCK_SKEW_MS < now) {
    throw new SignInError("token_failed");
  }
  const { groups, auth_time: authTime } = parsed.data;
  const { maxAgeMs } = expected;
  // Without a time the login itself counts, except where a recent authentication was requested.
  if (maxAgeMs !== null && !authTime) throw new SignInError("auth_time_missing");
  const signedInAt = Math.min(authTime ? authTime * 1000 : now, now);
  if (maxAgeMs !== null && signedInAt + maxAgeMs + CLOCK_SKEW_MS < now)
    throw new SignInError("auth_time_old");
  return { subject: sub, groups, signedInAt };
}

/** Fetches the person of an access token (OpenID Connect Core 1.0, section 5.3). @throws SignInError `userinfo_*` */
export async function fetchProfile(
  userinfoEndpoint: string,
  accessToken: string,
): Promise<Omit<SessionOwner, "signedInAt">> {
  const parsed = claims.safeParse(
    await fetchJson("userinfo", userinfoEndpoint, { Authorization: `Bearer ${accessToken}` }),
  );
  if (!parsed.success) throw new SignInError("userinfo_failed");
  const { sub, name, email, email_verified, picture, groups } = parsed.data;
  return { subject: sub, name, email, emailVerified: email !== null && email_verified, picture, groups };
}

/**
 * Checks a person against the allow-lists; null when they may sign in. Only a verified e-mail counts, because anyone can
 * claim an unverified one.
 */
export function findRefusal(
  settings: IdentitySettings,
  person: Pick<SessionOwner, "email" | "emailVerified">,
): "email_unverified" | "not_allowed" | null {
  const { allowedEmails, allowedDomains } = settings;
  const allowed = [...allowedEmails, ...allowedDomains];
  if (allowed.length === 0 || allowed.includes("*")) return null;
  if (person.email === null || !person.emailVerified) return "email_unverified";
  const email = person.email.toLowerCase();
  const domain = email.slice(email.lastIndexOf("@") + 1);
  return allowedEmails.includes(email) || allowedDomains.includes(domain) ? null : "not_allowed";
}

function decodePayload(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  } catch {
    return null;
  }
}

function isPicture(address: string): boolean {
  return /^data:image\/[\w.+-]+[;,]/.test(address) || isTrustedAddress(address);
}
