import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Context, Provider } from "oidc-provider";
import { escapeHtml, renderMessagePage, renderPage } from "./html-page";
import { DEFAULT_USERS, type IdentityUser } from "./identity-users";
import { listen } from "./listen";

/** The console's requests to the provider, from server to server. */
const STAGES = {
  "/.well-known/openid-configuration": "discovery",
  "/token": "token",
  "/me": "userinfo",
} as const;
const HOUR_SECONDS = 3_600;

type IdentityStage = (typeof STAGES)[keyof typeof STAGES];

/** Replaces the real answer: a given answer, none at all, or a cut connection. */
export type IdentityFault = { status: number; contentType: string; body: string } | "hang" | "drop";

export type IdentityEmulator = Awaited<ReturnType<typeof startIdentity>>;

interface Options {
  /** Default: any free port. */
  port?: number;
  clientId: string;
  clientSecret: string;
  redirectUris: readonly string[];
  users?: readonly IdentityUser[];
}

/**
 * Starts an OpenID provider (the certified `oidc-provider`) on loopback, with a login page that lists its users as
 * buttons. It shows that page at every login and never asks for consent. Its data is lost on close.
 */
export async function startIdentity(options: Options) {
  const users = options.users ?? DEFAULT_USERS;
  const faults: Record<IdentityStage, IdentityFault[]> = { discovery: [], token: [], userinfo: [] };
  const counts: Record<IdentityStage, number> = { discovery: 0, token: 0, userinfo: 0 };
  const { Provider, interactionPolicy } = await silently(() => import("oidc-provider"));

  const server = createServer();
  const { port, close } = await listen(server, options.port);
  const issuer = `http://127.0.0.1:${port}`;

  const policy = interactionPolicy.base();
  policy
    .get("login")
    .checks.add(
      new interactionPolicy.Check("always_ask", "choose a user", ({ oidc }) => !oidc.result?.login),
    );
  const configuration = {
    ...buildConfiguration(options, users),
    interactions: { policy, url: (_context: Context, { uid }: { uid: string }) => `/interaction/${uid}` },
  };
  const provider = await silently(() => new Provider(issuer, configuration));
  const answer = provider.callback();

  server.on("request", (request, response) => {
    const { pathname } = new URL(request.url ?? "/", issuer);
    const stage = pathname in STAGES ? STAGES[pathname as keyof typeof STAGES] : undefined;
    if (stage) counts[stage] += 1;
    const fault = stage && faults[stage].shift();
    if (fault) failRequest(fault, response);
    else if (pathname.startsWith("/interaction/")) void showLogin(provider, users, request, response);
    else answer(request, response);
  });

  return {
    issuer,
    users,
    /** Makes the next request of this stage fail; several calls queue up. */
    failNext: (stage: IdentityStage, fault: IdentityFault) => void faults[stage].push(fault),
    /** Number of requests of a stage, failed ones included. */
    countRequests: (stage: IdentityStage) => counts[stage],
    close,
  };
}

/** Hides the package's warnings about Node 20 and its in-memory store; both are fine here. */
async function silently<T>(work: () => T | Promise<T>): Promise<T> {
  const warn = console.warn;
  console.warn = () => {};
  try {
    return await work();
  } finally {
    console.warn = warn;
  }
}

function buildConfiguration(options: Options, users: readonly IdentityUser[]): object {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    clients: [
      {
        client_id: options.clientId,
        client_secret: options.clientSecret,
        redirect_uris: options.redirectUris,
        id_token_signed_response_alg: "ES256",
      },
    ],
    claims: { openid: ["sub"], profile: ["name", "picture", "groups"], email: ["email", "email_verified"] },
    cookies: { keys: ["identity-emulator"] },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "ES256", use: "sig", kid: "emulator" }] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    pkce: { required: () => true },
    clientBasedCORS: () => false,
    ttl: {
      ...{ AuthorizationCode: 60, AccessToken: HOUR_SECONDS, Grant: HOUR_SECONDS, IdToken: HOUR_SECONDS },
      ...{ Interaction: HOUR_SECONDS, Session: HOUR_SECONDS },
    },
    findAccount(_context: Context, subject: string) {
      const user = users.find((candidate) => candidate.subject === subject);
      return user && { accountId: subject, claims: () => ({ sub: subject, ...user.claims }) };
    },
    async loadExistingGrant({ oidc }: Context & { oidc: { provider: Provider } }) {
      const { clientId } = oidc.client;
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope(oidc.params.scope);
      await grant.save();
      return grant;
    },
    renderError(context: Context, out: { error: string; error_description?: string }) {
      context.type = "html";
      context.body = renderMessagePage("The request was refused", out.error_description ?? out.error);
    },
  };
}

async function showLogin(
  provider: Provider,
  users: readonly IdentityUser[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await provider.interactionDetails(request, response);
    const chosen = request.method === "POST" ? new URLSearchParams(await text(request)).get("account") : null;
    const user = users.find(({ subject }) => subject === chosen);
    if (!user) return sendPage(response, 200, renderLoginPage(users));
    const result = user.declines
      ? { error: "access_denied", error_description: "The person declined." }
      : { login: { accountId: user.subject } };
    await provider.interactionFinished(request, response, result);
  } catch {
    const text = "This login is over. Go back to the console and choose Log in.";
    sendPage(response, 400, renderMessagePage("Nothing to sign in to", text));
  }
}

function sendPage(response: ServerResponse, status: number, html: string): void {
  response
    .writeHead(status, { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" })
    .end(html);
}

function failRequest(fault: IdentityFault, response: ServerResponse): void {
  if (fault === "drop") response.destroy();
  else if (fault !== "hang")
    response.writeHead(fault.status, { "Content-Type": fault.contentType }).end(fault.body);
}

/** The one-click login page: a button for each user, posted to the page's own address. */
function renderLoginPage(users: readonly IdentityUser[]): string {
  return renderPage(
    "Sign in to the local identity provider",
    `<p>For development and tests. Choose who you are; there is no password.</p>
<form method="post">${users.map(renderUser).join("")}</form>`,
  );
}

function renderUser({ subject, label, note, claims }: IdentityUser): string {
  const portrait = claims.picture
    ? `<img src="${escapeHtml(claims.picture)}" alt="">`
    : `<span class="blank"></span>`;
  const about = [claims.email, note].filter((part) => part !== undefined).join(" · ");
  return `<button name="account" value="${escapeHtml(subject)}">${portrait}<span><strong>${escapeHtml(label)}</strong><small>${escapeHtml(about)}</small></span></button>`;
}
