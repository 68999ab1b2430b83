import { randomUUID } from "node:crypto";
import { type Cookie, createCookie } from "@remix-run/node";
import { z } from "zod";
import { env } from "../env.server";
import { HOUR_MS } from "../time";

const IDLE_MS = 8 * HOUR_MS;
/** Prefix of a person's user ID, before the identity subject. */
export const PERSON_PREFIX = "auth-";
/** Longest duration of a session. Revocations expire after it. */
export const SESSION_LIFETIME_MS = 24 * HOUR_MS;
const REFRESH_INTERVAL_MS = 5 * 60_000;
/** Leaves room for base64, signature and attributes within the 4,096 bytes that browsers accept. */
const MAX_CONTENT_BYTES = 2_500;

const contents = z.object({
  id: z.uuid(),
  subject: z.string().min(1),
  name: z.string().nullable(),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  picture: z.string().nullable(),
  /** Groups at the identity provider that `PEOPLE_SCOPES` names. */
  groups: z.array(z.string()).default([]),
  /** When the person proved who they are, which may be before the session; null where that is not known. */
  signedInAt: z.number().nullable().default(null),
  /** Milliseconds since 1970, as {@link contents.lastSeenAt}. */
  createdAt: z.number(),
  lastSeenAt: z.number(),
});

/** Verified sessions by `Cookie` header. Their expiry is checked at each use. */
const verified = new Map<string, Readonly<Session>>();
const MOST_VERIFIED = 2_000;
const LONGEST_REMEMBERED = 8_192;

/** A person's session; times in milliseconds since 1970. */
export type Session = z.infer<typeof contents>;

/** The part of a session that comes from the identity provider. */
export type SessionOwner = Omit<Session, "id" | "createdAt" | "lastSeenAt">;

/**
 * Parses a request's session; null when it is absent, tampered with, idle for 8 h or older than 24 h. Revocation is checked
 * by `findViewer`.
 */
export async function parseSession(
  request: { headers: { get(name: string): string | null } },
  now = Date.now(),
): Promise<Session | null> {
  const header = request.headers.get("Cookie");
  if (header === null) return null;
  const session = verified.get(header) ?? (await verify(header));
  if (session === null) return null;
  const { createdAt, lastSeenAt } = session;
  return now - lastSeenAt < IDLE_MS && now - createdAt < SESSION_LIFETIME_MS ? session : null;
}

/** Verifies the session of a `Cookie` header and caches a valid one. */
async function verify(header: string): Promise<Readonly<Session> | null> {
  const parsed = contents.safeParse(await openCookie().parse(header));
  if (!parsed.success) return null;
  if (verified.size >= MOST_VERIFIED) verified.clear();
  if (header.length <= LONGEST_REMEMBERED) verified.set(header, Object.freeze(parsed.data));
  return parsed.data;
}

/** Starts a session under a new ID and returns its `Set-Cookie`. */
export async function startSession(owner: SessionOwner, now = Date.now()): Promise<string> {
  return writeSession({ ...owner, id: randomUUID(), createdAt: now, lastSeenAt: now });
}

/** Renews a used session. Returns a `Set-Cookie` at most every five minutes, else null. The root loader sends it. */
export async function refreshSession(request: Request, now = Date.now()): Promise<string | null> {
  const session = await parseSession(request, now);
  if (!session || now - session.lastSeenAt < REFRESH_INTERVAL_MS) return null;
  return writeSession({ ...session, lastSeenAt: now });
}

/** Returns the `Set-Cookie` that ends the browser's session. */
export async function clearSession(): Promise<string> {
  return openCookie().serialize("", { maxAge: 0 });
}

async function writeSession(session: Session): Promise<string> {
  const fits = Buffer.byteLength(JSON.stringify(session)) <= MAX_CONTENT_BYTES;
  return openCookie().serialize(fits ? session : { ...session, picture: null });
}

function openCookie() {
  return createSignedCookie("mailroom_session", { path: "/", maxAgeSeconds: SESSION_LIFETIME_MS / 1000 });
}

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

/** Parses the text after `Authorization: Bearer`; null without such a header. */
export function parseBearer(headers: { get(name: string): string | null }): string | null {
  return /^bearer\s+(.*?)\s*$/i.exec(headers.get("Authorization") ?? "")?.[1] ?? null;
}
