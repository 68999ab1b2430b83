import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startMailProvider } from "../../emulators/mail-provider";
import { buildConsole } from "../console/console-build";
import { startConsole } from "../console/console-process";
import { makeSessionCookie } from "../console/session-cookie";
import { newEmbedded } from "../database/embedded";
import { listKeySpellings } from "../key-spellings";
import { createRandom } from "../random";
import { type HostileCase, HostileCases } from "./cases";

export interface Attack {
  seed: number;
  /** It ends after whichever comes first. */
  cases: number;
  untilMs: number;
  /** What takes longer hangs. */
  hangMs: number;
}

export interface Figures {
  cases: number;
  statuses: Record<number, number>;
  /** How long the slowest of the others' requests took, in milliseconds. */
  othersWaitedMs: number;
  /** The request that took longest, and how long, in milliseconds. */
  slowest: { ms: number; about: string };
  /** What must not be, a line each. */
  problems: string[];
}

const AT_ONCE = 6;
const SECRETS = {
  STANNP_API_KEY: "attack-key-5b1f/+c0ffee",
  STANNP_WEBHOOK_SECRET: "attack-hook-77aa/+e1",
  STRIPE_SECRET_KEY: "sk_test_attack_0451/+x",
  STRIPE_WEBHOOK_SECRET: "whsec_attack_1984/+y",
  METRICS_TOKEN: "attack-metrics-2001/+z-0123456789ab",
};

/** Sends hostile requests to a console, half of them signed in, while somebody else asks for the time of day. */
export async function attack({ seed, cases: most, untilMs, hangMs }: Attack): Promise<Figures> {
  const folder = await buildConsole();
  let decoyCalls = 0;
  const decoy = createServer((_request, response) => {
    decoyCalls++;
    response.end();
  });
  await new Promise<void>((resolve) => decoy.listen(0, "127.0.0.1", resolve));
  const provider = await startMailProvider({
    apiKey: SECRETS.STANNP_API_KEY,
    rateLimitPerMinute: 1_000_000,
    statusStepMs: 0,
  });
  const app = await startConsole(
    {
      ...SECRETS,
      DATABASE_URL: newEmbedded(),
      STANNP_BASE_URLS: `US=${provider.baseUrl}`,
      STRIPE_API_BASE: "http://127.0.0.1:9",
    },
    folder,
  );
  const cookie = await makeSessionCookie("hostile");
  const host = `127.0.0.1:${(decoy.address() as AddressInfo).port}`;
  const random = createRandom(seed);
  const cases = new HostileCases(random, { host, base: provider.baseUrl });
  const spellings = Object.values(SECRETS).flatMap((secret) => Object.values(listKeySpellings(secret)));
  const figures: Figures = {
    cases: 0,
    statuses: {},
    othersWaitedMs: 0,
    slowest: { ms: 0, about: "" },
    problems: [],
  };
  const endsAt = Date.now() + untilMs;

  async function send(hostile: HostileCase, isSignedIn: boolean): Promise<void> {
    const about = `${hostile.method} ${hostile.path.slice(0, 200)} (${hostile.route})`;
    const startedAt = performance.now();
    try {
      const reply = await fetch(app.origin + hostile.path, {
        method: hostile.method,
        headers: { ...hostile.headers, ...(isSignedIn ? { Cookie: cookie } : {}) },
        body: hostile.body,
        redirect: "manual",
        signal: AbortSignal.timeout(hangMs),
      });
      const bytes = Buffer.from(await reply.arrayBuffer());
      const ms = Math.round(performance.now() - startedAt);
      if (ms > figures.slowest.ms) figures.slowest = { ms, about };
      const text = bytes.toString("latin1") + JSON.stringify([...reply.headers]);
      figures.statuses[reply.status] = (figures.statuses[reply.status] ?? 0) + 1;
      const isExpected = reply.status < 500 || (hostile.callsOut && [502, 503, 504].includes(reply.status));
      if (!isExpected) figures.problems.push(`${reply.status}: ${about}`);
      if (spellings.some((spelling) => text.includes(spelling)))
        figures.problems.push(`secret told: ${about}`);
      if (/^https?:\/\/[^/]*evil/.test(reply.headers.get("Location") ?? "")) {
        figures.problems.push(`leads elsewhere: ${about}`);
      }
    } catch (error) {
      figures.problems.push(`no answer (${String(error)}): ${about}`);
    }
  }

  async function attackOn(): Promise<void> {
    while (figures.cases < most && Date.now() < endsAt) {
      figures.cases++;
      await send(cases.next(), random() < 0.6);
    }
  }

  let ended = false;
  async function askAsOther(): Promise<void> {
    while (!ended) {
      const startedAt = performance.now();
      await fetch(`${app.origin}/healthz`).then((reply) => reply.arrayBuffer());
      figures.othersWaitedMs = Math.max(figures.othersWaitedMs, Math.round(performance.now() - startedAt));
    }
  }

  const other = askAsOther();
  await Promise.all(Array.from({ length: AT_ONCE }, attackOn));
  ended = true;
  await other;
  await app.stop();
  await provider.close();
  decoy.closeAllConnections();
  decoy.close();
  const log = [...app.output, ...app.errors];
  figures.problems.push(...log.filter((line) => /"level":[56]0/.test(line)).map((line) => `logged: ${line}`));
  figures.problems.push(...app.errors.map((line) => `standard error: ${line}`));
  if (log.some((line) => spellings.some((spelling) => line.includes(spelling)))) {
    figures.problems.push("a secret is in the log");
  }
  if (decoyCalls > 0) figures.problems.push(`${decoyCalls} calls outside the allowed base URLs`);
  return figures;
}
