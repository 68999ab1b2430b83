import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Authenticator } from "remix-auth";
import { OAuth2RequestError, OAuth2Strategy } from "remix-auth-oauth2";
import { env, type IdentitySettings } from "~/platform/env.server";
import { safeReturnPath } from "~/platform/http/security.server";
import { PERSON_PREFIX, type SessionOwner } from "~/platform/http/session.server";
import { errorNameOf, log, noteRequest } from "~/platform/log.server";
import { type Outcome, succeed } from "~/platform/outcome";
import { discoverProvider, IDENTITY_TIMEOUT_MS, type ProviderMetadata } from "./discovery.server";
import { parseLoginState, takeLoginState, writeLoginState } from "./login-state.server";
import { fetchProfile, findRefusal, parseIdToken } from "./profile.server";
import { SignInError, type SignInProblem } from "./sign-in-problem";

const CALLBACK_PATH = "/api/auth/callback";
const MAX_RETURN_PATH_LENGTH = 1_000;

/** Redirects to the identity provider's login page. The request may have a `returnTo` path. */
export async function startSignIn(request: Request): Promise<Outcome<Response>> {
  return attempt(async (settings) => {
    try {
      await authenticate(settings, request);
    } catch (thrown) {
      if (thrown instanceof Response) return thrown;
      throw thrown;
    }
    throw new SignInError("unexpected");
  });
}

/** Signs in the person of a callback when the allow-lists admit them. Returns the path to open, too. */
export async function finishSignIn(
  request: Request,
): Promise<Outcome<{ owner: SessionOwner; returnTo: string }>> {
  return attempt(async (settings) => {
    const owner = await authenticate(settings, request);
    const refusal = findRefusal(settings, owner);
    noteRequest({ actorId: PERSON_PREFIX + owner.subject, ...(refusal ? { refused: true } : {}) });
    if (refusal) throw new SignInError(refusal);
    return { owner, returnTo: (await parseLoginState(request))?.returnTo ?? "/" };
  });
}

async function authenticate(settings: IdentitySettings, request: Request): Promise<SessionOwner> {
  const metadata = await discoverProvider(settings.issuer);
  const strategy = new IdentityStrategy(settings, metadata, new URL(CALLBACK_PATH, env().appOrigin));
  return new Authenticator<SessionOwner>().use(strategy).authenticate(strategy.name, request);
}

async function attempt<T>(work: (settings: IdentitySettings) => Promise<T>): Promise<Outcome<T>> {
  try {
    const { identity } = env();
    if (!identity) throw new SignInError("not_configured");
    return succeed(await work(identity));
  } catch (error) {
    const known = error instanceof SignInError ? error : new SignInError("unexpected");
    log.warn("sign_in.failed", {
      reason: known.problem,
      ...(known === error ? {} : { errorName: errorNameOf(error) }),
    });
    return { ok: false, failure: known.failure };
  }
}

/**
 * OpenID Connect's code flow with PKCE S256. The library builds the addresses and exchanges the code. We store the login's
 * state, because the library's cookies are one per attempt, not `Secure` and never cleared, and we map its errors.
 */
class IdentityStrategy extends OAuth2Strategy<SessionOwner> {
  override name = "identity";
  private readonly callback: URL;
  private readonly issuer: string;

  constructor(settings: IdentitySettings, metadata: ProviderMetadata, callback: URL) {
    const { clientId, clientSecret, scopes } = settings;
    super(
      {
        clientId,
        // Form-encoded for HTTP Basic (RFC 6749, section 2.3.1), which the library does not do.
        clientSecret: clientSecret === null ? null : encodeURIComponent(clientSecret),
        authorizationEndpoint: metadata.authorization_endpoint,
        tokenEndpoint: metadata.token_endpoint,
        redirectURI: callback,
        scopes,
      },
      async ({ request, tokens }) => {
        const { nonce = "", maxAgeMs = null } = (await parseLoginState(request)) ?? {};
        const expected = { issuer: metadata.issuer, clientId, nonce, maxAgeMs };
        const { subject, groups, signedInAt } = parseIdToken(tokens.idToken(), expected);
        const owner = await fetchProfile(metadata.userinfo_endpoint, tokens.accessToken());
        // Userinfo of another subject must not be used (OpenID Connect Core 1.0, section 5.3.2).
        if (owner.subject !== subject) throw new SignInError("userinfo_failed");
        // The cookie has no room for groups without a meaning here.
        const named = new Set(env().peopleScopes?.map(({ who }) => who));
        const known = new Set([...groups, ...owner.groups].filter((group) => named.has(`group:${group}`)));
        return { ...owner, groups: [...known], signedInAt };
      },
    );
    this.callback = callback;
    this.issuer = metadata.issuer;
  }

  /**
   * Finishes a sign-in at the callback address, and starts one at any other address.
   * @throws Response the redirect to the identity provider; SignInError in the callback
   */
  override async authenticate(request: Request): Promise<SessionOwner> {
    if (new URL(request.url).pathname !== this.callback.pathname) throw await this.start(request);
    const { codeVerifier } = await takeLoginState(request);
    const tokens = await this.tradeCode(this.readCode(request), codeVerifier);
    return this.verify({ request, tokens });
  }

  private async start(request: Request): Promise<Response> {
    const { url, state, codeVerifier } = this.createAuthorizationURL();
    const nonce = randomUUID();
    url.searchParams.set("nonce", nonce);
    const { searchParams } = new URL(request.url);
    const maxAgeMs = searchParams.has("fresh") ? env().freshSignInMs || null : null;
    if (maxAgeMs !== null) url.searchParams.set("max_age", String(maxAgeMs / 1000));
    const wanted = safeReturnPath(searchParams.get("returnTo"));
    const returnTo = wanted.length <= MAX_RETURN_PATH_LENGTH ? wanted : "/";
    const cookie = await writeLoginState({ state, codeVerifier, nonce, returnTo, maxAgeMs });
    return new Response(null, { status: 302, headers: { Location: url.href, "Set-Cookie": cookie } });
  }

  private readCode(request: Request): string {
    const answer = new URL(request.url).searchParams;
    const issuer = answer.get("iss");
    if (issuer !== null && issuer !== this.issuer) throw new SignInError("issuer_foreign");
    const error = answer.get("error");
    if (error !== null) throw new SignInError(classifyCallbackError(error));
    const code = answer.get("code");
    if (!code) throw new SignInError("code_missing");
    return code;
  }

  private async tradeCode(code: string, codeVerifier: string) {
    try {
      // The library's call has no time limit.
      const limit = wait(IDENTITY_TIMEOUT_MS, undefined, { ref: false }).then(() => {
        throw new SignInError("token_timeout");
      });
      const tokens = await Promise.race([this.validateAuthorizationCode(code, codeVerifier), limit]);
      // These throw when the answer lacks them.
      tokens.accessToken();
      tokens.idToken();
      return tokens;
    } catch (error) {
      if (error instanceof SignInError) throw error;
      const refused = error instanceof OAuth2RequestError && error.code === "invalid_grant";
      throw new SignInError(refused ? "code_refused" : "token_failed");
    }
  }
}

function classifyCallbackError(error: string): SignInProblem {
  if (error === "access_denied") return "access_denied";
  return error === "server_error" || error === "temporarily_unavailable"
    ? "provider_failed"
    : "request_refused";
}
