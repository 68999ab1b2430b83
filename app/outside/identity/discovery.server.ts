import { z } from "zod";
import { fetchJson, isTrustedAddress } from "./fetch-json.server";
import { SignInError } from "./sign-in-problem";

const KEPT_MS = 60 * 60_000;

const endpoint = z.string().refine(isTrustedAddress);
const document = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  userinfo_endpoint: endpoint,
});

/** Endpoints of an OpenID provider (OpenID Connect Discovery 1.0, section 3). */
export interface ProviderMetadata {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  userinfoEndpoint: string;
}

let known: { issuer: string; readAt: number; metadata: Promise<ProviderMetadata> } | undefined;

/**
 * Loads the provider's metadata at most once an hour. Concurrent callers share one request. A failed one is not cached.
 * @throws SignInError `discovery_*`, `issuer_mismatch`
 */
export function discoverProvider(issuer: string, now = Date.now()): Promise<ProviderMetadata> {
  if (known?.issuer === issuer && now - known.readAt < KEPT_MS) return known.metadata;
  const attempt = { issuer, readAt: now, metadata: loadMetadata(issuer) };
  known = attempt;
  attempt.metadata.catch(() => {
    if (known === attempt) known = undefined;
  });
  return attempt.metadata;
}

async function loadMetadata(issuer: string): Promise<ProviderMetadata> {
  const base = trimSlash(issuer);
  const parsed = document.safeParse(
    await fetchJson(`${base}/.well-known/openid-configuration`).catch((error: unknown) => {
      const timedOut = error instanceof Error && error.name === "TimeoutError";
      throw new SignInError(timedOut ? "discovery_timeout" : "discovery_failed");
    }),
  );
  if (!parsed.success) throw new SignInError("discovery_unusable");
  if (trimSlash(parsed.data.issuer) !== base) throw new SignInError("issuer_mismatch");
  return {
    issuer: parsed.data.issuer,
    authorizationEndpoint: parsed.data.authorization_endpoint,
    tokenEndpoint: parsed.data.token_endpoint,
    userinfoEndpoint: parsed.data.userinfo_endpoint,
  };
}

function trimSlash(address: string): string {
  return address.replace(/\/$/, "");
}
