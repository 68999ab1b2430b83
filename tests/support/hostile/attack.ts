import { startMailProvider } from "../../emulators/mail-provider";
import { startWebhookReceiver } from "../../emulators/webhook-receiver";
import { buildConsole } from "../console/console-build";
import { startConsole } from "../console/console-process";
import { makeSessionCookie } from "../console/session-cookie";
import { newEmbedded } from "../database/embedded";
import { listKeySpellings } from "../key-spellings";
import { type HostileCase, makeCases } from "./cases";

/** The attack ends after `cases` requests or at `untilMs`, whichever comes first. */
export interface Attack {
  seed: number;
  cases: number;
  untilMs: number;
  /** A request that takes longer counts as a problem. */
  hangMs: number;
}

const AT_ONCE = 6;
/** A connection that the console closes after a refused body must not be used for another request. */
const CLOSE = { Connection: "close" };
const SECRETS = {
  STANNP_API_KEY: "attack-key-5b1f/+c0ffee",
  STANNP_WEBHOOK_SECRET: "attack-hook-77aa/+e1",
  STRIPE_SECRET_KEY: "sk_test_attack_0451/+x",
  STRIPE_WEBHOOK_SECRET: "whsec_attack_1984/+y",
  METRICS_TOKEN: "attack-metrics-2001/+z-0123456789ab",
};

/**
 * Sends hostile requests to a console while another client requests its health. Returns figures and a line per
 * problem.
 */
export async function attack({ seed, cases, untilMs, hangMs }: Attack) {
  const decoy = await startWebhookReceiver();
  const apiKey = SECRETS.STANNP_API_KEY;
  const provider = await startMailProvider({ apiKey, rateLimitPerMinute: 1_000_000, statusStepMs: 0 });
  const app = await startConsole(
    {
      ...SECRETS,
      DATABASE_URL: newEmbedded(),
      STANNP_BASE_URLS: `US=${provider.baseUrl}`,
      STRIPE_API_BASE: "http://127.0.0.1:9",
    },
    await buildConsole(),
  );
  const cookie = await makeSessionCookie("hostile");
  const { host } = new URL(decoy.origin);
  const spellings = Object.values(SECRETS).flatMap((secret) => Object.values(listKeySpellings(secret)));
  const hasSecret = (text: string) => spellings.some((spelling) => text.includes(spelling));
  const figures = {
    cases: 0,
    routes: new Set<string>(),
    statuses: {} as Record<number, number>,
    /** The slowest response for the other client, in ms. */
    othersWaitedMs: 0,
    problems: [] as string[],
  };

  async function send(hostile: HostileCase): Promise<void> {
    const about = `${hostile.method} ${hostile.path.slice(0, 200)} (${hostile.route})`;
    try {
      const reply = await fetch(app.origin + hostile.path, {
        method: hostile.method,
        headers: { ...CLOSE, ...hostile.headers, ...(hostile.isSignedIn ? { Cookie: cookie } : {}) },
        body: hostile.body,
        redirect: "manual",
        signal: AbortSignal.timeout(hangMs),
      });
      const text =
        Buffer.from(await reply.arrayBuffer()).toString("latin1") + JSON.stringify([...reply.headers]);
      figures.routes.add(hostile.route);
      figures.statuses[reply.status] = (figures.statuses[reply.status] ?? 0) + 1;
      const isExpected = reply.status < 500 || (hostile.callsOut && [502, 503, 504].includes(reply.status));
      if (!isExpected) figures.problems.push(`${reply.status}: ${about}`);
      if (hasSecret(text)) figures.problems.push(`secret in the answer: ${about}`);
      if (/^https?:\/\/[^/]*evil/.test(reply.headers.get("Location") ?? ""))
        figures.problems.push(`leads elsewhere: ${about}`);
    } catch (error) {
      figures.problems.push(`no answer (${String(error)}): ${about}`);
    }
  }

  const made = makeCases(seed, { host, base: provider.baseUrl });
  const endsAt = Date.now() + untilMs;
  let ended = false;
  const attackers = Array.from({ length: AT_ONCE }, async () => {
    while (figures.cases < cases && Date.now() < endsAt) {
      figures.cases++;
      await send(made.next().value);
    }
  });
  const other = (async () => {
    while (!ended) {
      const startedAt = performance.now();
      await fetch(`${app.origin}/healthz`, { headers: CLOSE }).then((reply) => reply.arrayBuffer());
      figures.othersWaitedMs = Math.max(figures.othersWaitedMs, Math.round(performance.now() - startedAt));
    }
  })();
  await Promise.all(attackers);
  ended = true;
  await other;
  await app.stop();
  await provider.close();
  await decoy.close();
  const log = [...app.output, ...app.errors];
  figures.problems.push(...log.filter((line) => /"level":[56]0/.test(line)).map((line) => `logged: ${line}`));
  figures.problems.push(...app.errors.map((line) => `standard error: ${line}`));
  if (log.some(hasSecret)) figures.problems.push("a secret is in the log");
  if (decoy.received.length > 0)
    figures.problems.push(`${decoy.received.length} calls outside the allowed base URLs`);
  return figures;
}
