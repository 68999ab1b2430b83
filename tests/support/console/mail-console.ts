import type { BackgroundTask } from "~/platform/background-runner.server";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import { type MailProviderOptions, startMailProvider } from "../../emulators/mail-provider";
import { drain, drainAll } from "../drain";
import { giveCredits } from "../money/give-credits";
import { findErrors, inDatabase, loadEnvironment, openSession, sql } from "./environment";
import { openSite } from "./gated-route";
import { ANA } from "./payment-console";

export const MAIL_KEY = "emulator-key-0000000000000001";
export const HOOK_SECRET = "whook-secret-0001";

/** An answer of an `/api/*` address. */
export interface MailReply<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  json: T;
}

/** The console's mail in this process: its modules, its addresses, and the provider beside it. Ana is signed in. */
export type MailConsole = Awaited<ReturnType<typeof startMailConsole>>;

export const RECIPIENT = {
  firstname: "Maria",
  lastname: "Silva",
  address1: "12 Harbour Rd",
  city: "Portland",
  postcode: "97201",
  country: "US",
  email: "maria@example.com",
};

/**
 * Loads the console's modules again with a new database and provider.
 * @param options.variables replace variables of the environment; `undefined` removes one
 */
export async function startMailConsole(
  databaseUrl: string,
  options: {
    variables?: Record<string, string | undefined>;
    provider?: Partial<MailProviderOptions>;
  } = {},
) {
  const site = await openSite();
  const { origin } = site;
  const provider = await startMailProvider({
    apiKey: MAIL_KEY,
    rateLimitPerMinute: 1_000_000,
    statusStepMs: 0,
    ...options.provider,
  });
  await loadEnvironment({
    APP_ORIGIN: origin,
    SESSION_SECRET: "mail-test",
    MAILROOM_DATABASE_URL: databaseUrl,
    STANNP_API_KEY: MAIL_KEY,
    STANNP_BASE_URLS: `US=${provider.baseUrl},Global=${provider.origin}/global/v1`,
    // High enough for a slow machine.
    STANNP_TIMEOUT_MS: "8000",
    STANNP_WEBHOOK_SECRET: HOOK_SECRET,
    ...options.variables,
  });
  const { refreshStatus } = await import("~/pieces/events/refresh-status.server");
  const { cancelSend, quoteCancel } = await import("~/pieces/cancel/cancel-mail.server");
  const { resetPaces } = await import("~/outside/mail-provider/call/pace.server");
  const { listCancelRecoveries } = await import("~/pieces/recovery/recover-cancels.server");
  const { listSendRecoveries } = await import("~/pieces/recovery/recover-sends.server");
  const { storeSettledSends } = await import("~/responses/save/save-in-background.server");
  const { loadAccount } = await import("~/credits/ledger/ledger.server");
  const { closeDatabase } = await import("~/platform/database/database.server");
  const cookie = (await openSession(ANA.subject, ANA.displayName)).send("/");

  /** Calls an address and parses its JSON. */
  async function ask<T>(path: string, init: RequestInit): Promise<MailReply<T>> {
    const reply = await fetch(`${origin}${path}`, { ...init, headers: { Cookie: cookie, ...init.headers } });
    return { status: reply.status, headers: reply.headers, json: JSON.parse(await reply.text()) };
  }
  const post = <T = Record<string, unknown>>(path: string, body: unknown, init: RequestInit = {}) =>
    ask<T>(path, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...init,
      headers: { "Content-Type": "application/json", ...init.headers },
    });
  /** Makes a call through the proxy. */
  const proxy = (body: Record<string, unknown>) =>
    post<ProxyResponse>("/api/stannp", { method: "POST", ...body });

  // Resets the pace, so that a test does not wait for a provider failure of the test before it.
  const recover = <Row extends { id: string }>(tasks: readonly BackgroundTask<Row>[]) => {
    resetPaces();
    return drainAll(tasks);
  };

  return {
    origin,
    /** The `Cookie` of Ana's session. */
    cookie,
    provider,
    refreshStatus,
    quoteCancel,
    cancelSend,
    // Run until nothing is due; each returns the number of claimed rows.
    recoverCancels: () => recover(listCancelRecoveries()),
    recoverSends: () => recover(listSendRecoveries()),
    storeSettledSends: () => drain(storeSettledSends),
    db: inDatabase,
    sql,
    /** Makes a user with credits. */
    grant: (userId: string, credits: number) => inDatabase((client) => giveCredits(client, userId, credits)),
    balance: async (userId: string) => (await inDatabase((client) => loadAccount(client, userId))).balance,
    get: <T = Record<string, unknown>>(path: string, init: RequestInit = {}) => ask<T>(path, init),
    post,
    proxy,
    /** Mails a live postcard (1 credit) or letter (2); returns its send and the provider's id. */
    async mail(
      userId: string,
      type: "postcard" | "letter" = "postcard",
      fields: Record<string, unknown> = {},
    ) {
      const body = {
        size: type === "letter" ? "US-LETTER" : "4x6",
        template: "21001",
        recipient: RECIPIENT,
        ...fields,
      };
      const sent = await proxy({ path: `${type}s/create`, body, user_id: userId });
      if (!sent.json.send_id || !sent.json.credits?.success) throw new Error(JSON.stringify(sent.json));
      return { id: sent.json.send_id, mailItemId: String((sent.json.data as { id: number }).id) };
    },
    findErrors,
    async close() {
      await provider.close();
      await closeDatabase();
      await site.close();
    },
  };
}
