import type { ReadableStream } from "node:stream/web";
import { z } from "zod";
import { isConfidential } from "~/platform/env-variables.server";
import { readBytes } from "~/platform/http/body.server";
import { SignInError } from "./sign-in-problem";

/** How long the provider's metadata is cached. */
const KEPT_MS = 60 * 60_000;
export const IDENTITY_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 256 * 1024;

const endpoint = z.string().refine(isTrustedAddress);
const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  userinfo_endpoint: endpoint,
});

/** Endpoints of an OpenID provider (OpenID Connect Discovery 1.0, section 3). */
export type ProviderMetadata = z.infer<typeof metadata>;

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
  const parsed = metadata.safeParse(await fetchJson("discovery", `${base}/.well-known/openid-configuration`));
  if (!parsed.success) throw new SignInError("discovery_unusable");
  if (trimSlash(parsed.data.issuer) !== base) throw new SignInError("issuer_mismatch");
  return parsed.data;
}

function trimSlash(address: string): string {
  return address.replace(/\/$/, "");
}

/** True for an address that sign-in may use: https, or plain http within this machine. */
export function isTrustedAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.username === "" && url.password === "" && isConfidential(url);
}

/**
 * Fetches a JSON document of the identity provider, without redirects and up to 256 KiB.
 * @throws SignInError `*_timeout`, or `*_failed` for any other problem
 */
export async function fetchJson(
  purpose: "discovery" | "userinfo",
  url: string,
  headers: Record<string, string> = {},
): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers: { Accept: "application/json", ...headers },
      redirect: "error",
      signal: AbortSignal.timeout(IDENTITY_TIMEOUT_MS),
    });
    const bytes = response.body && (await readBytes(response.body as ReadableStream, MAX_ANSWER_BYTES));
    if (!response.ok || bytes === null) throw new Error(`answered ${response.status}`);
    return JSON.parse(bytes.toString());
  } catch (error) {
    const timedOut = error instanceof Error && error.name === "TimeoutError";
    throw new SignInError(timedOut ? `${purpose}_timeout` : `${purpose}_failed`);
  }
}
