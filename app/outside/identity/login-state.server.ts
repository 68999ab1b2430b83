import { z } from "zod";
import { createSignedCookie } from "~/platform/http/session.server";
import { SignInError } from "./sign-in-problem";

const LIFETIME_MS = 10 * 60_000;
const MAX_REMEMBERED = 10_000;

const contents = z.object({
  state: z.string().min(1),
  codeVerifier: z.string().min(1),
  /** Returned in the ID token. */
  nonce: z.string().min(1),
  returnTo: z.string(),
  /** The greatest age of the authentication, where a recent one was requested. */
  maxAgeMs: z.number().nullable().default(null),
  expiresAt: z.number(),
});

/** A login that has begun, stored in the browser that started it. */
type LoginState = z.infer<typeof contents>;

/** Used states, with the expiry of their cookies. */
const answered = new Map<string, number>();

/** Returns the `Set-Cookie` of a login. A new login overwrites an unfinished one. */
export function writeLoginState(login: Omit<LoginState, "expiresAt">, now = Date.now()): Promise<string> {
  return openCookie().serialize({ ...login, expiresAt: now + LIFETIME_MS });
}

/** Returns the `Set-Cookie` that ends a login, sent with every answer of the callback. */
export function clearLoginState(): Promise<string> {
  return openCookie().serialize("", { maxAge: 0 });
}

export async function parseLoginState(request: Request): Promise<LoginState | null> {
  const parsed = contents.safeParse(await openCookie().parse(request.headers.get("Cookie")));
  return parsed.success ? parsed.data : null;
}

/** Returns the login that a callback answers, once, even when the cookie is sent again. @throws SignInError `state_*` */
export async function takeLoginState(request: Request, now = Date.now()): Promise<LoginState> {
  const state = new URL(request.url).searchParams.get("state");
  if (!state) throw new SignInError("state_missing");
  const login = await parseLoginState(request);
  if (!login) throw new SignInError("state_cookie_missing");
  if (login.state !== state) throw new SignInError("state_foreign");
  if (login.expiresAt <= now) throw new SignInError("state_expired");
  if (answered.has(state)) throw new SignInError("state_reused");
  rememberAnswered(login, now);
  return login;
}

function rememberAnswered(login: LoginState, now: number): void {
  answered.set(login.state, login.expiresAt);
  // Oldest first, up to the first that is still needed.
  for (const [state, expiresAt] of answered) {
    if (expiresAt > now && answered.size <= MAX_REMEMBERED) break;
    answered.delete(state);
  }
}

function openCookie() {
  return createSignedCookie("mailroom_login", { path: "/api/auth", maxAgeSeconds: LIFETIME_MS / 1000 });
}
