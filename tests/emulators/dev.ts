import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import dotenv from "dotenv";
import { parseEnvironment } from "../../app/platform/env.server";
import { seedConfiguredDatabase } from "../../prisma/seed";
import type { SeededPiece } from "../../prisma/seed-life";
import { startIdentity } from "./identity";
import { listen } from "./listen";
import { startMailProvider } from "./mail-provider";
import { PROGRESS } from "./mail-provider/mail-pieces";
import type { KnownPiece } from "./mail-provider/seed-mail";
import { startStripe } from "./stripe";
import { startWebhookReceiver } from "./webhook-receiver";

/**
 * `npm run dev`: the local services that `.env` points to on this machine, then `remix vite:dev`. The first start
 * creates `.env` from the example and fills the database with six weeks of mail; `-- --empty` leaves it empty. When
 * this process ends for any reason, the processes that it started end too.
 */
/** Final statuses of an old piece; any other one changes with time. */
const SETTLED = [...PROGRESS, "returned", "cancelled"] as const;

if (!existsSync(".env")) {
  const secret = `SESSION_SECRET=${randomBytes(32).toString("hex")}`;
  writeFileSync(".env", readFileSync(".env.example", "utf8").replace(/^SESSION_SECRET=$/m, secret));
  say("Made .env from .env.example, with a random SESSION_SECRET.");
}
chmodSync(".env", 0o600);
const isOriginSet = process.env.APP_ORIGIN !== undefined;
dotenv.config({ quiet: true });
if (!isOriginSet) agreeWithPort();
const environment = parseEnvironment(process.env);
const provider = findLocal(environment.baseUrls[0].url);
const issuer = findLocal(environment.identity?.issuer);
const receiver = findLocal(environment.localWebhookOrigins[0]);
const payments = findLocal(environment.stripe?.apiBase);

/** Each local service, with its use of a port and its description. */
const PARTIES = [
  [provider, "the mail-provider emulator (STANNP_BASE_URLS)", "Mail provider", "nothing is mailed"],
  [issuer, "the identity emulator (OAUTH_ISSUER)", "Sign-in", "pick a person"],
  [payments, "the Stripe emulator (STRIPE_API_BASE)", "Card payment", "no money moves"],
  [receiver, "the webhook receiver (WEBHOOK_LOCAL_ORIGINS)", "Webhook receiver", "it answers 204"],
] as const;
await requireFreePort(environment.port, "the console (PORT)");
for (const [url, use] of PARTIES) if (url) await requireFreePort(Number(url.port), use);

const closers: (() => Promise<unknown>)[] = [];
const mail =
  provider &&
  (await startMailProvider({
    port: Number(provider.port),
    apiKey: environment.providerKey ?? "",
    templatePictures: true,
    // The database outlives the emulator, so ids must not repeat.
    firstPieceId: 16_800_001 + Math.floor((Date.now() - Date.UTC(2026, 0, 1)) / 10_000) * 10,
  }));
const wanted = mail !== null && !process.argv.includes("--empty");
const seeded = await seedConfiguredDatabase({
  print: wanted ? async (piece) => new Uint8Array(await mail.print(toKnownPiece(piece))) : null,
});
if (mail) {
  const [secret] = environment.providerWebhookSecrets;
  mail.webhooks.target = secret ? { url: `${environment.appOrigin}/api/stannp/webhook`, secret } : null;
  mail.adopt((seeded?.pieces ?? []).map(toKnownPiece));
  closers.push(() => mail.close());
}
if (issuer && environment.identity) {
  const identity = await startIdentity({
    port: Number(issuer.port),
    clientId: environment.identity.clientId,
    clientSecret: environment.identity.clientSecret ?? "",
    redirectUris: [`${environment.appOrigin}/api/auth/callback`],
  });
  closers.push(() => identity.close());
}
if (payments && environment.stripe) {
  const { secretKeys, webhookSecrets } = environment.stripe;
  const [webhookSecret] = webhookSecrets;
  const stripe = await startStripe({
    port: Number(payments.port),
    secretKey: secretKeys[0],
    webhookSecret: webhookSecret ?? "",
    webhookUrl: webhookSecret === undefined ? null : `${environment.appOrigin}/api/stripe/webhook`,
  });
  for (const purchase of seeded?.purchases ?? []) stripe.account.adopt(purchase);
  closers.push(() => stripe.close());
}

if (receiver) {
  const webhooks = await startWebhookReceiver({ port: Number(receiver.port) });
  closers.push(() => webhooks.close());
}

say("");
say(`  Mailroom            ${environment.appOrigin}`);
for (const [url, , name, note] of PARTIES)
  if (url) say(`  ${name.padEnd(20)}${url.origin} (emulator; ${note})`);
say("  Database            npm run studio shows what is in it");
say("");

const address = ["--port", String(environment.port), "--strictPort", "--host"];
if (environment.host) address.push(environment.host);
// A process group of its own, so that all processes of `remix vite:dev` can be ended at once.
const remix = spawn("node_modules/.bin/remix", ["vite:dev", ...address], {
  stdio: "inherit",
  detached: true,
});
let ending = false;

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  try {
    if (remix.pid) process.kill(-remix.pid, "SIGTERM");
  } catch {
    // The group has ended already.
  }
  await Promise.allSettled(closers.map((close) => close()));
  process.exit(code);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => end(0));
remix.on("exit", (code) => end(code ?? 1));

/** The emulator keeps nothing between runs; the console's mail is loaded into it at each start. */
function toKnownPiece({ id, type, status, createdAt, recipientId, design }: SeededPiece): KnownPiece {
  return {
    id,
    type,
    format: type === "letter" ? "US-LETTER" : "4x6",
    cost: type === "letter" ? "0.14" : "0.06",
    settledStatus: SETTLED.find((known) => known === status) ?? null,
    createdAtMs: createdAt.getTime(),
    recipientId: recipientId ?? "0",
    tags: "",
    design,
  };
}

/**
 * Sets the console's own address when the one in `.env` contradicts the port: sign-in and payment would return to an
 * address on which nothing listens.
 */
function agreeWithPort(): void {
  const { PORT: port = "", APP_ORIGIN: written } = process.env;
  const url = findLocal(written);
  if (port === "" || url?.protocol !== "http:" || url.port === port) return;
  url.port = port;
  // `remix vite:dev` reads `.env` too, but the environment has precedence.
  process.env.APP_ORIGIN = url.origin;
  say(
    `PORT is ${port}, so the console's address is ${url.origin} for now. APP_ORIGIN in .env is ${written}.`,
  );
}

function findLocal(address: string | undefined): URL | null {
  if (!address) return null;
  const url = new URL(address);
  return ["localhost", "127.0.0.1"].includes(url.hostname) && url.port !== "" ? url : null;
}

async function requireFreePort(port: number, use: string): Promise<void> {
  const probe = await listen(createServer(), port).catch(() => null);
  if (probe) return probe.close();
  say(`Port ${port} is taken; ${use} needs it. Stop what listens there, or change .env.`);
  process.exit(1);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
