import fc from "fast-check";
import type { FaultRule } from "../../emulators/mail-provider/fault-rule";
import type { ConsoleProcess } from "../console/console-process";
import type { Postgres } from "../database/postgres";
import { ALL_WELL } from "./audit";
import { type MoneyBench, openBench } from "./bench";
import { adjustCredits, askForMail, askUntilSettled, type MailAnswer, type MailRequest } from "./calls";
import { CREATE_PATH } from "./lone-sends";

/**
 * Random command sequences against a model of the accounts. One step is one call at a console; what
 * the model expects is compared after each. What is not known stays so until the end of a sequence's kind.
 */
const COSTS = { postcard: 1, letter: 2 } as const;
type MailType = keyof typeof COSTS;

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
  order: MailRequest & { key: string; payer: string };
  becomes: "charged" | "free" | "open";
}

interface Model {
  balances: Record<string, { balance: number; held: number }>;
  sends: ModelSend[];
}

interface Real {
  origin: string;
  bench: MoneyBench;
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
    model.sends.push({ order, becomes });
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

function balanceOf(model: Model, { payer }: { payer: string }): number {
  return accountOf(model, payer.split("-").at(-1) ?? "").balance;
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
  try {
    await change(bench, FREEZE);
    const console = await bench.start({ STANNP_TIMEOUT_MS: "10000" });
    const models: { model: Model; name: string }[] = [];
    await fc.assert(
      fc.asyncProperty(fc.commands(STEPS, { maxCommands: 30, size: "large" }), async (steps) => {
        const name = `seq${models.length}`;
        const model: Model = { balances: {}, sends: [] };
        models.push({ model, name });
        await fc.asyncModelRun(() => ({ model, real: { origin: console.origin, bench, name } }), steps);
      }),
      { seed, numRuns: sequences },
    );
    await console.stop("SIGKILL");
    await change(bench, THAW);
    await compareEnds(bench, await bench.start({ RECONCILE_INTERVAL_MS: "50" }), models);
    return {
      seed,
      sequences: models.length,
      sends: models.reduce((sum, { model }) => sum + model.sends.length, 0),
    };
  } finally {
    await bench.close();
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
      const account = accountOf(model, order.payer.split("-").at(-1) ?? "");
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
