import { Authenticator } from "remix-auth";
import { env, type IdentitySettings } from "~/platform/env.server";
import { PERSON_PREFIX, type SessionOwner } from "~/platform/http/session.server";
import { errorNameOf, log, noteRequest } from "~/platform/log.server";
import type { Outcome } from "~/platform/outcome";
import { discoverProvider } from "./discovery.server";
import { parseLoginState } from "./login-state.server";
import { findRefusal } from "./profile.server";
import { SignInError } from "./sign-in-problem";
import { IdentityStrategy } from "./strategy.server";

const CALLBACK_PATH = "/api/auth/callback";

/** A finished sign-in, with the path to open. */
interface SignIn {
  owner: SessionOwner;
  returnTo: string;
}

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

/** Signs in the person of a callback when the allow-lists admit them. */
export async function finishSignIn(request: Request): Promise<Outcome<SignIn>> {
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
    return { ok: true, value: await work(identity) };
  } catch (error) {
    const known = error instanceof SignInError ? error : new SignInError("unexpected");
    log.warn("sign_in.failed", {
      reason: known.problem,
      ...(known === error ? {} : { errorName: errorNameOf(error) }),
    });
    return { ok: false, failure: known.failure };
  }
}
