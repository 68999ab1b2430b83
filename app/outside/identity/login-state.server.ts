import { z } from "zod";
import { createSignedCookie } from "~/platform/http/cookies.server";
import { SignInError } from "./sign-in-problem";

const LIFETIME_MS = 10 * 60_000;
const MAX_REMEMBERED = 10_000;

const contents = z.object({
  state: z.string().min(1),
  codeVerifier: z.string().min(1),
  /** Comes back in the ID token. */
  nonce: z.string().min(1),
  returnTo: z.string(),
  /** The greatest age of the authentication, where a recent one was requested. */
  maxAgeMs: z.number().nullable().default(null),
  expiresAt: z.number(),
});

/** A login under way, kept by the browser that started it. */
type LoginState = z.infer<typeof contents>;

/** States that have been answered, with the time after which their cookie is refused anyway. */
const answered = new Map<string, number>();

/** The one cookie of a login; a new attempt overwrites the last, so aborted ones do not pile up. */
export function writeLoginState(login: Omit<LoginState, "expiresAt">, now = Date.now()): Promise<string> {
  return openCookie().serialize({ ...login, expiresAt: now + LIFETIME_MS });
}

/** The `Set-Cookie` that ends a login, sent with every answer of the callback. */
export function clearLoginState(): Promise<string> {
  return openCookie().serialize("", { maxAge: 0 });
}

/** The login that this browser has under way, whether or not the request answers it. */
export async function parseLoginState(request: Request): Promise<LoginState | null> {
  const parsed = contents.safeParse(await openCookie().parse(request.headers.get("Cookie")));
  return parsed.success ? parsed.data : null;
}

/**
 * The login that a callback answers. It can be taken once, even by someone who kept the cookie.
 * @throws SignInError `state_*`
 */
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
  // Oldest first: stop at the first that is still needed.
  for (const [state, expiresAt] of answered) {
    if (expiresAt > now && answered.size <= MAX_REMEMBERED) break;
    answered.delete(state);
  }
}

function openCookie() {
  return createSignedCookie("mailroom_login", { path: "/api/auth", maxAgeSeconds: LIFETIME_MS / 1000 });
}
