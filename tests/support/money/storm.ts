import { setTimeout as wait } from "node:timers/promises";
import type { Behaviour } from "../../emulators/mail-provider/faults/behaviour";
import type { FaultHandle } from "../../emulators/mail-provider/faults/fault-desk";
import type { FaultRule } from "../../emulators/mail-provider/faults/fault-rule";
import type { ConsoleProcess } from "../console/console-process";
import type { Postgres } from "../database/postgres";
import { createRandom, type Random } from "../random";
import { CALL_LIMIT_MS, type MoneyBench, openBench, SETTLED_MS } from "./bench";
import { askForMail, isOpenAnswer, type MailAnswer, type MailRequest, readCredits } from "./calls";
import {
  askToCancel,
  type CancelAnswer,
  type MailedPiece,
  NOT_ASKED,
  ROUTES_BEFORE_STORING,
} from "./cancel-routes";
import { type Call, checkHistory, History, timeCall } from "./history";

/** Failures of half of the provider's answers to mail, cancels and queries, with equal probability. */
const FAILURES: FaultRule[] = [
  { kind: "reset-before" },
  { kind: "reset-after" },
  { kind: "error-after" },
  { kind: "error-after", status: 408 },
  { kind: "unreadable" },
  { kind: "truncate" },
  { kind: "status", status: 503 },
  { kind: "html", status: 502 },
  { kind: "respond", status: 409 },
  { kind: "timeout" },
  { kind: "timeout", moment: "after" },
  { kind: "slow", delayMs: CALL_LIMIT_MS - 200, moment: "after" },
  { kind: "slow", delayMs: CALL_LIMIT_MS + 500 },
  { kind: "rate-limit", resetSeconds: 1 },
  { kind: "rate-limit", resetSeconds: 3 },
  { kind: "answer-test" },
];
const FAILING_SHARE = 0.5;
/** Fields that the provider refuses every time: with 200 and with 400. */
const REFUSED_FIELDS = [
  { front: "https://pictures.invalid/a.png", file: "https://pictures.invalid/a.pdf" },
  { size: "9x9" },
];
const REFUSED_SHARE = 0.1;
/** Share of the mailed pieces. */
const CANCELLED_SHARE = 0.4;
const CALLERS_AT_ONCE = 12;
/** Longest pause of a caller between two pieces: without one, callers mostly load the machine with refusals. */
const LONGEST_PAUSE_MS = 500;
const LONGEST_LIFE_MS = 1_200;
/** Minimum number of mailed pieces. */
const ENOUGH_MAILED = 12;
const ENOUGH_LIMIT_MS = 200_000;
const PEOPLE = ["ana", "ben", "chi"];
/** Payers with their credits: one of them soon runs out. */
export const PURSES = { "purse-large": 1_000_000, "purse-middle": 1_000_000, "purse-small": 100 };

interface StormPlan {
  /** Null for the embedded database. */
  postgres: Postgres | null;
  consoles: number;
  /** SIGKILLs of a console. */
  kills: number;
  /** `immediate` stops of PostgreSQL, spread among the kills. */
  stops: number;
  seed: number;
  /** Deviations of the provider from its reference; none by default. */
  modes?: Partial<Behaviour>;
}

/**
 * Sends live mail to a provider that fails half of its answers, while consoles are killed and the database is
 * stopped; then compares the provider with the books.
 */
export async function runStorm({ postgres, seed, modes = {}, ...plan }: StormPlan) {
  const random = createRandom(seed);
  const { bench, faults } = await openStorm({ postgres, seed, modes });
  try {
    const fleet = await startFleet(bench, plan.consoles);
    const startedAt = performance.now();
    const crowd = new Crowd(fleet, random);
    const calling = crowd.call();
    await injectFailures({ postgres, ...plan }, fleet, random);
    await crowd.waitForEnough();
    crowd.stop();
    await calling;
    for (const fault of faults) fault.release();
    // The delay before the next recovery attempt is a quarter of the send's age.
    const books = await compareBooks(bench, crowd, SETTLED_MS + (performance.now() - startedAt) / 4);
    const cancelled = await bench.inBooks((db) => db.send.count({ where: { state: "cancelled" } }));
    const { calls, statuses } = crowd;
    const { orders, cancels } = crowd.history;
    const reads = crowd.history.reads.filter(({ answer }) => answer !== null);
    const counts = { asked: orders.length, calls, cancels: cancels.length, reads: reads.length };
    return { ...books, modes, ...counts, statuses, cancelled };
  } finally {
    await bench.close();
  }
}

/** Creates a bench with credits, and a provider that differs from its reference and fails half of its answers. */
export async function openStorm({
  postgres,
  seed,
  modes = {},
}: Pick<StormPlan, "postgres" | "seed" | "modes">) {
  const bench = await openBench({ postgres, provider: { random: createRandom(seed + 1) } });
  bench.provider.behave(modes);
  for (const [purse, credits] of Object.entries(PURSES)) await bench.grant(purse, credits);
  return { bench, faults: spoilAnswers(bench) };
}

/** Waits until nothing is open, then compares the books with the provider and with the answers to callers. */
export async function compareBooks(bench: MoneyBench, crowd: Crowd, limitMs?: number) {
  const settledInMs = await bench.settle(limitMs);
  const audit = await bench.audit();
  const lies = await bench.inBooks((db) => checkHistory(db, bench.provider, crowd.history));
  return { ...audit, lies, settledInMs };
}

/** A later rule applies only to requests that earlier rules let pass, so its chance is larger. */
function spoilAnswers({ provider }: MoneyBench): FaultHandle[] {
  const share = FAILING_SHARE / FAILURES.length;
  return FAILURES.map((rule, place) =>
    provider.fail({
      ...rule,
      path: "(postcards|letters)/(create|cancel|get/.*)",
      times: "always",
      chance: share / (1 - place * share),
    }),
  );
}

/** A fleet of consoles; a place is empty while its console restarts. */
interface Fleet {
  places: (ConsoleProcess | null)[];
  /** Kills the console of a place with SIGKILL and starts another one there. */
  replace(place: number): Promise<void>;
}

export async function startFleet(
  bench: MoneyBench,
  size: number,
  variables?: Record<string, string>,
): Promise<Fleet> {
  const places: (ConsoleProcess | null)[] = [];
  for (let place = 0; place < size; place++) places.push(await bench.start(variables));
  return {
    places,
    async replace(place) {
      const old = places[place];
      places[place] = null;
      await old?.stop("SIGKILL");
      places[place] = await bench.start(variables);
    },
  };
}

/** Kills and restarts each console after a while, and stops the database at its share of the kills. */
async function injectFailures(
  { postgres, kills, stops }: Pick<StormPlan, "postgres" | "kills" | "stops">,
  fleet: Fleet,
  random: Random,
): Promise<void> {
  const stopAt = new Set(Array.from({ length: stops }, (_, n) => Math.floor(((n + 0.5) * kills) / stops)));
  let killed = 0;
  let stopping = Promise.resolve();
  const stopDatabase = async () => {
    await postgres?.stop("immediate");
    await wait(random() * 1_500);
    await postgres?.start();
  };
  await Promise.all(
    fleet.places.map(async (_, place) => {
      while (killed < kills) {
        if (stopAt.has(killed)) stopping = stopping.then(stopDatabase);
        killed += 1;
        await wait(50 + random() * LONGEST_LIFE_MS);
        await fleet.replace(place);
      }
    }),
  );
  await stopping;
}

/** Callers who send one piece after another and retry some of the unsettled answers. */
export class Crowd {
  readonly history = new History();
  readonly statuses: Record<string, number> = {};
  calls = 0;
  #mailed = 0;
  #stopped = false;

  constructor(
    private readonly fleet: Fleet,
    private readonly random: Random,
  ) {}

  stop(): void {
    this.#stopped = true;
  }

  /** Waits for work that a slow machine did not finish among the kills, so that there is something to compare. */
  async waitForEnough(): Promise<void> {
    const deadline = Date.now() + ENOUGH_LIMIT_MS;
    const isEnough = () =>
      this.#mailed >= ENOUGH_MAILED &&
      this.history.cancels.some(({ calls }) => calls.some(({ answer }) => answer.cancelled));
    while (!isEnough() && Date.now() < deadline) await wait(100);
  }

  async call(): Promise<void> {
    await Promise.all(Array.from({ length: CALLERS_AT_ONCE }, (_, caller) => this.#sendOn(caller)));
  }

  async #sendOn(number: number): Promise<void> {
    for (let turn = 0; !this.#stopped; turn++) {
      await this.act(`storm-${number}-${turn}`);
      await wait(this.random() * LONGEST_PAUSE_MS);
    }
  }

  /** Processes one piece: sends it, may retry, reads the balance, and may cancel. */
  async act(key: string): Promise<void> {
    const order = {
      type: this.random() < 0.5 ? ("postcard" as const) : ("letter" as const),
      caller: pick(PEOPLE, this.random),
      payer: pick(Object.keys(PURSES), this.random),
      key: key.padEnd(12, "-"),
      fields: this.random() < REFUSED_SHARE ? pick(REFUSED_FIELDS, this.random) : {},
    };
    const calls = [await this.#ask(order)];
    while (calls.every(({ answer }) => isOpenAnswer(answer)) && this.random() < 0.5 && !this.#stopped) {
      await wait(this.random() * 200);
      calls.push(await this.#ask(order));
    }
    this.history.orders.push({ order, calls });
    await this.#read(order.payer);
    const mailed = calls.find(({ answer }) => answer.json.credits?.success)?.answer.json;
    if (mailed) this.#mailed += 1;
    const { id } = (mailed?.data ?? {}) as { id?: number };
    if (!mailed?.send_id || !id || this.random() >= CANCELLED_SHARE) return;
    const piece = { id: mailed.send_id, userId: order.payer, type: order.type, mailItemId: String(id) };
    const cancels = [await this.#cancel(piece)];
    if (this.random() < 0.3) cancels.push(await this.#cancel(piece));
    this.history.cancels.push({ piece, calls: cancels });
    await this.#read(order.payer);
  }

  async #cancel(piece: MailedPiece): Promise<Call<CancelAnswer>> {
    const one = await this.#findConsole();
    const route = one && pick(ROUTES_BEFORE_STORING, this.random);
    return timeCall(async () => (route ? askToCancel(one.origin, route, piece) : NOT_ASKED));
  }

  async #read(userId: string): Promise<void> {
    const one = await this.#findConsole();
    if (!one) return;
    const read = await timeCall(() => readCredits(one.origin, "ana", userId).catch(() => null));
    this.history.reads.push({ ...read, userId });
  }

  async #findConsole(): Promise<ConsoleProcess | null> {
    const up = this.fleet.places.filter((one) => one !== null);
    if (up.length === 0) await wait(50);
    return up.length > 0 ? pick(up, this.random) : null;
  }

  async #ask(order: MailRequest & { key: string }): Promise<Call<MailAnswer>> {
    const one = await this.#findConsole();
    const call = await timeCall<MailAnswer>(async () =>
      one ? askForMail(one.origin, order) : { status: null, json: {} },
    );
    if (one) {
      this.calls += 1;
      const name = String(call.answer.status ?? "none");
      this.statuses[name] = (this.statuses[name] ?? 0) + 1;
    }
    return call;
  }
}

export function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)] as T;
}
