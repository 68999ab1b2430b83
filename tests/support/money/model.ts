import fc from "fast-check";
import type { FaultRule } from "../../emulators/mail-provider/fault-rule";
import { type StripeEmulator, startStripe } from "../../emulators/stripe";
import type { ConsoleProcess } from "../console/console-process";
import type { Postgres } from "../database/postgres";
import { createRandom } from "../random";
import { ALL_WELL } from "./audit";
import { type MoneyBench, openBench } from "./bench";
import {
  adjustCredits,
  askForMail,
  askUntilSettled,
  cookieOf,
  type MailAnswer,
  type MailRequest,
  readCredits,
} from "./calls";
import { askToCancel, type CancelRoute } from "./cancel-routes";
import { CREATE_PATH } from "./lone-sends";
import { drawModes } from "./modes";

/**
 * Random command sequences against a model of the accounts: sends, adjustments, cancels, purchases, and events of the
 * provider and of Stripe. What the model expects is compared after each step. What is not known stays so until the end of a sequence's kind.
 */
const COSTS = { postcard: 1, letter: 2 } as const;
type MailType = keyof typeof COSTS;
const PACKAGE_CREDITS = 100;
const HOOK_SECRET = "model-hook-secret-01";
const STRIPE_KEY = "sk_test_model_0001";
const STRIPE_SECRET = "whsec_model_0001";

/** What the provider does to a send, and what becomes of it: `charged`, `free`, or `open` until it is looked up. */
const MOMENTS = {
  mailed: { rule: null, becomes: "charged" },
  refused: { rule: { kind: "refuse200" }, becomes: "free" },
  limited: { rule: { kind: "rate-limit", resetSeconds: 40 }, becomes: "free" },
  "answered as a test": { rule: { kind: "answer-test" }, becomes: "free" },
  "done, answer lost": { rule: { kind: "reset-after" }, becomes: "open" },
  "done, answered 500": { rule: { kind: "error-after" }, becomes: "open" },
  "not done, answer lost": { rule: { kind: "reset-before" }, becomes: "open" },
  "not done, answered 503": { rule: { kind: "status", status: 503 }, becomes: "open" },
} as const satisfies Record<string, { rule: FaultRule | null; becomes: "charged" | "free" | "open" }>;
type Moment = keyof typeof MOMENTS;

interface ModelSend {
  order: MailRequest & { key: string; caller: string; payer: string };
  becomes: "charged" | "free" | "open";
  /** Once it is known to be mail; what the provider says of it, as far as it matters for a cancel. */
  piece: { id: string; mailItemId: string; status: "received" | "delivered" | "cancelled" } | null;
}

interface Model {
  balances: Record<string, { balance: number; held: number }>;
  sends: ModelSend[];
}

interface Real {
  origin: string;
  bench: MoneyBench;
  stripe: StripeEmulator;
  /** Tells this sequence's users and keys from all others'. */
  name: string;
}

type Step = fc.AsyncCommand<Model, Real>;

/** What must be so, in words. @throws when it is not */
function demand(so: boolean, what: string): void {
  if (!so) throw new Error(what);
}

class Adjust implements Step {
  constructor(
    readonly action: "add" | "deduct",
    readonly who: string,
    readonly amount: number,
  ) {}

  check = () => true;
  toString = () => `${this.action} ${this.amount} ${this.who}`;

  async run(model: Model, { origin, name }: Real): Promise<void> {
    const account = accountOf(model, this.who);
    const allowed = this.action === "add" || account.balance - account.held >= this.amount;
    const userId = `auth-${name}-${this.who}`;
    const answer = await adjustCredits(origin, `${name}-${this.who}`, {
      action: this.action,
      amount: this.amount,
      userId,
    });
    demand(answer.status === (allowed ? 200 : 402), `${this}: ${answer.status} ${answer.json.error}`);
    if (allowed) account.balance += this.action === "add" ? this.amount : -this.amount;
  }
}

class Send implements Step {
  constructor(
    readonly who: string,
    readonly type: MailType,
    readonly moment: Moment,
  ) {}

  check = () => true;
  toString = () => `${this.who} sends a ${this.type}: ${this.moment}`;

  async run(model: Model, { origin, bench, name }: Real): Promise<void> {
    const account = accountOf(model, this.who);
    const cost = COSTS[this.type];
    const caller = `${name}-${this.who}`;
    const order = {
      type: this.type,
      caller,
      payer: `auth-${caller}`,
      key: `${name}-key-${model.sends.length}`,
    };
    const { rule, becomes } = MOMENTS[this.moment];
    const fault = rule && bench.provider.fail({ ...rule, path: CREATE_PATH });
    const answer = await askForMail(origin, order);
    fault?.release();
    if (account.balance - account.held < cost) {
      demand(answer.status === 402, `${this}, not affordable: ${describe(answer)}`);
      demand(
        answer.json.balance === account.balance,
        `${this}, balance ${account.balance}: ${describe(answer)}`,
      );
      demand(
        answer.json.shortfall === cost - (account.balance - account.held),
        `${this}, held ${account.held}: ${describe(answer)}`,
      );
      return;
    }
    if (becomes === "charged") account.balance -= cost;
    if (becomes === "open") account.held += cost;
    const { id } = (answer.json.data ?? {}) as { id?: number };
    const sendId = answer.json.send_id;
    const isMail = becomes === "charged" && sendId && id;
    model.sends.push({
      order,
      becomes,
      piece: isMail ? { id: sendId, mailItemId: String(id), status: "received" } : null,
    });
    demand(answer.status === (becomes === "open" ? 202 : 200), `${this}: ${describe(answer)}`);
    compareCredits(`${this}`, answer, becomes, cost, account.balance);
  }
}

class AskAgain implements Step {
  constructor(
    readonly choice: number,
    readonly otherBody: boolean,
  ) {}

  check = (model: Readonly<Model>) => model.sends.length > 0;
  toString = () => `the same key as ${this.choice} ${this.otherBody ? "with another body" : "again"}`;

  async run(model: Model, { origin }: Real): Promise<void> {
    const send = model.sends[this.choice % model.sends.length];
    if (!send) return;
    const { order, becomes } = send;
    const answer = await askForMail(origin, this.otherBody ? { ...order, fields: { tags: "other" } } : order);
    if (this.otherBody) {
      demand(answer.status === 422, `${this}: ${describe(answer)}`);
      return;
    }
    demand(answer.json.replayed === true, `${this}: ${describe(answer)}`);
    demand(answer.status === (becomes === "open" ? 202 : 200), `${this}: ${describe(answer)}`);
    compareCredits(`${this}`, answer, becomes, COSTS[order.type], balanceOf(model, order));
  }
}

/** A send that is mail, or null. */
function pickMailed(model: Readonly<Model>, choice: number) {
  const mailed = model.sends.flatMap(({ order, piece }) => (piece ? [{ order, piece }] : []));
  return mailed[choice % mailed.length] ?? null;
}

class Cancel implements Step {
  constructor(
    readonly choice: number,
    readonly route: CancelRoute,
  ) {}

  check = (model: Readonly<Model>) => pickMailed(model, this.choice) !== null;
  toString = () => `mailed ${this.choice} is cancelled by ${this.route}`;

  async run(model: Model, { origin }: Real): Promise<void> {
    const picked = pickMailed(model, this.choice);
    if (!picked) return;
    const { order, piece } = picked;
    const { type, payer: userId, caller } = order;
    const told = await askToCancel(origin, this.route, { ...piece, userId, type }, caller);
    const refunded = piece.status === "received" ? COSTS[type] : 0;
    demand(!told.pending && (told.refunded ?? 0) === refunded, `${this}: ${JSON.stringify(told)}`);
    if (piece.status === "received") piece.status = "cancelled";
    accountOf(model, ownerOf(order)).balance += refunded;
  }
}

class ProviderEvent implements Step {
  constructor(
    readonly choice: number,
    readonly status: "delivered" | "cancelled",
    readonly times: number,
  ) {}

  check = (model: Readonly<Model>) => pickMailed(model, this.choice)?.piece.status === "received";
  toString = () => `mailed ${this.choice} is ${this.status} at the provider, told ${this.times} times`;

  async run(model: Model, { origin, bench }: Real): Promise<void> {
    const picked = pickMailed(model, this.choice);
    if (!picked) return;
    const { order, piece } = picked;
    const { webhooks } = bench.provider;
    bench.provider.move(Number(piece.mailItemId), this.status);
    piece.status = this.status;
    if (this.status === "cancelled") accountOf(model, ownerOf(order)).balance += COSTS[order.type];
    const { tags } = bench.provider.pieces.find(({ id }) => String(id) === piece.mailItemId) ?? { tags: "" };
    const event = webhooks.describe([{ id: Number(piece.mailItemId), status: this.status, tags }]);
    const body = JSON.stringify(event);
    const headers = { "X-Stannp-Signature": webhooks.sign(body, HOOK_SECRET) };
    for (let time = 0; time < this.times; time++) await bring(`${origin}/api/stannp/webhook`, body, headers);
    await demandBalance(`${this}`, origin, order, balanceOf(model, order));
  }
}

class Checkout implements Step {
  constructor(
    readonly who: string,
    readonly course: "pay" | "expire" | "leave",
    readonly times: number,
  ) {}

  check = () => true;
  toString = () => `${this.who} buys credits: ${this.course}, told ${this.times} times`;

  async run(model: Model, { origin, stripe, name }: Real): Promise<void> {
    const caller = `${name}-${this.who}`;
    const order = { caller, payer: `auth-${caller}` };
    const reply = await fetch(`${origin}/api/stripe/create-checkout`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Cookie: await cookieOf(caller) },
      body: JSON.stringify({ user_id: order.payer, success_url: `${origin}/`, cancel_url: `${origin}/` }),
    });
    demand(reply.status === 200, `${this}: ${reply.status} ${await reply.text()}`);
    const page = [...stripe.sessions.keys()].at(-1) ?? "";
    if (this.course === "pay") stripe.account.pay(page);
    if (this.course === "expire") stripe.account.expire(page);
    const account = accountOf(model, this.who);
    if (this.course === "pay") account.balance += PACKAGE_CREDITS;
    if (this.course === "leave") return;
    const body = JSON.stringify(stripe.events.at(-1));
    const headers = { "Stripe-Signature": stripe.webhooks.sign(body) };
    for (let time = 0; time < this.times; time++) await bring(`${origin}/api/stripe/webhook`, body, headers);
    await demandBalance(`${this}`, origin, order, account.balance);
  }
}

/** An event that a webhook takes. */
async function bring(url: string, body: string, headers: Record<string, string>): Promise<void> {
  const reply = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body,
  });
  demand(reply.status === 200, `${url}: ${reply.status} ${await reply.text()}`);
}

async function demandBalance(
  step: string,
  origin: string,
  { caller, payer }: { caller: string; payer: string },
  expected: number,
): Promise<void> {
  const found = await readCredits(origin, caller, payer);
  demand(found === expected, `${step}: the balance is ${found}, expected ${expected}`);
}

function compareCredits(
  step: string,
  { json }: MailAnswer,
  becomes: ModelSend["becomes"],
  cost: number,
  balance: number,
): void {
  const { credits } = json;
  const right =
    credits?.success === (becomes === "charged") &&
    credits.creditsDeducted === (becomes === "charged" ? cost : 0) &&
    credits.newBalance === balance &&
    credits.held === (becomes === "open" ? cost : undefined);
  demand(right, `${step}, balance ${balance}: ${JSON.stringify(credits)}`);
}

function accountOf(model: Model, who: string): { balance: number; held: number } {
  model.balances[who] ??= { balance: 0, held: 0 };
  return model.balances[who];
}

function ownerOf({ payer }: { payer: string }): string {
  return payer.split("-").at(-1) ?? "";
}

function balanceOf(model: Model, order: { payer: string }): number {
  return accountOf(model, ownerOf(order)).balance;
}

function describe({ status, json }: MailAnswer): string {
  return `${status} ${json.error} ${JSON.stringify(json.credits)}`;
}

const who = fc.constantFrom("ana", "ben");
const STEPS = [
  fc
    .tuple(fc.constantFrom("add" as const, "deduct" as const), who, fc.integer({ min: 1, max: 6 }))
    .map(([action, one, amount]) => new Adjust(action, one, amount)),
  fc.tuple(who, fc.integer({ min: 2, max: 9 })).map(([one, amount]) => new Adjust("add", one, amount)),
  fc
    .tuple(
      who,
      fc.constantFrom(...(Object.keys(COSTS) as MailType[])),
      fc.constantFrom(...(Object.keys(MOMENTS) as Moment[])),
    )
    .map(([one, type, moment]) => new Send(one, type, moment)),
  fc.tuple(fc.nat(20), fc.boolean()).map(([choice, other]) => new AskAgain(choice, other)),
  fc
    .tuple(
      fc.nat(20),
      fc.constantFrom<CancelRoute>("/api/mail/cancel", "/api/mail/cancel by our own id", "the proxy"),
    )
    .map(([choice, route]) => new Cancel(choice, route)),
  fc
    .tuple(
      fc.nat(20),
      fc.constantFrom("delivered" as const, "cancelled" as const),
      fc.integer({ min: 1, max: 3 }),
    )
    .map(([choice, status, times]) => new ProviderEvent(choice, status, times)),
  fc
    .tuple(
      who,
      fc.constantFrom("pay" as const, "expire" as const, "leave" as const),
      fc.integer({ min: 1, max: 3 }),
    )
    .map(([one, course, times]) => new Checkout(one, course, times)),
];

/** Nothing that is not known is looked up, so that the model knows what is held. */
const FREEZE = [
  `CREATE FUNCTION freeze_unknown() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN IF NEW.state = 'unknown' THEN NEW.lease_until = clock_timestamp() + interval '50 minutes'; END IF; RETURN NEW; END $$`,
  `CREATE TRIGGER freeze_unknown BEFORE UPDATE ON sends FOR EACH ROW EXECUTE FUNCTION freeze_unknown()`,
];
const THAW = [
  "DROP TRIGGER freeze_unknown ON sends",
  "UPDATE sends SET lease_until = now() WHERE state = 'unknown'",
];

export interface ModelRun {
  postgres: Postgres | null;
  seed: number;
  sequences: number;
}

/**
 * Runs so many sequences. Gives how many they were, and of how many sends.
 * @throws with the seed and the shortest sequence that shows it, when a console and the model differ
 */
export async function runModel({ postgres, seed, sequences }: ModelRun) {
  const bench = await openBench({ postgres });
  const stripe = await startStripe({ secretKey: STRIPE_KEY, webhookSecret: STRIPE_SECRET });
  const outside = {
    STANNP_TIMEOUT_MS: "10000",
    STANNP_WEBHOOK_SECRET: HOOK_SECRET,
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_WEBHOOK_SECRET: STRIPE_SECRET,
    STRIPE_API_BASE: stripe.origin,
  };
  try {
    const modes = drawModes(createRandom(seed));
    bench.provider.behave(modes);
    await change(bench, FREEZE);
    const console = await bench.start(outside);
    const models: { model: Model; name: string }[] = [];
    await fc.assert(
      fc.asyncProperty(fc.commands(STEPS, { maxCommands: 30, size: "large" }), async (steps) => {
        const name = `seq${models.length}`;
        const model: Model = { balances: {}, sends: [] };
        models.push({ model, name });
        await fc.asyncModelRun(
          () => ({ model, real: { origin: console.origin, bench, stripe, name } }),
          steps,
        );
      }),
      { seed, numRuns: sequences },
    );
    await console.stop("SIGKILL");
    await change(bench, THAW);
    await compareEnds(bench, await bench.start({ RECONCILE_INTERVAL_MS: "50" }), models);
    return {
      seed,
      modes,
      sequences: models.length,
      sends: models.reduce((sum, { model }) => sum + model.sends.length, 0),
    };
  } finally {
    await bench.close();
    await stripe.close();
  }
}

/** Once all is known: every open send was mailed, and each account is what the model says. */
async function compareEnds(
  bench: MoneyBench,
  console: ConsoleProcess,
  models: { model: Model; name: string }[],
): Promise<void> {
  for (const { model } of models) {
    for (const { order, becomes } of model.sends) {
      if (becomes !== "open") continue;
      const account = accountOf(model, ownerOf(order));
      account.balance -= COSTS[order.type];
      account.held -= COSTS[order.type];
      const answer = await askUntilSettled(console.origin, order);
      demand(answer.json.credits?.success === true, `${order.key} at the end: ${describe(answer)}`);
    }
  }
  const audit = await bench.audit();
  for (const [what, found] of Object.entries(ALL_WELL)) {
    const wrong = audit[what as keyof typeof ALL_WELL];
    demand(wrong.length === found.length, `${what}: ${wrong.join("; ")}`);
  }
  // Nothing went wrong, so nothing is for a person to look into.
  const alarms = await bench.inBooks((db) => db.alarm.findMany());
  demand(
    alarms.length === 0,
    `alarms: ${alarms.map(({ kind, evidence }) => `${kind} ${evidence}`).join("; ")}`,
  );
  for (const { model, name } of models) {
    for (const [who, expected] of Object.entries(model.balances)) {
      const found = await bench.loadAccount(`auth-${name}-${who}`);
      demand(
        found.balance === expected.balance && found.held === expected.held,
        `${name} ${who} at the end: ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`,
      );
    }
  }
}

async function change(bench: MoneyBench, statements: readonly string[]): Promise<void> {
  await bench.inBooks(async (db) => {
    for (const statement of statements) await db.$executeRawUnsafe(statement);
  });
}
