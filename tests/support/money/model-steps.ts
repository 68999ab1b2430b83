import { ok as demand } from "node:assert";
import fc from "fast-check";
import type { FaultRule } from "../../emulators/mail-provider/faults/fault-rule";
import type { StripeEmulator } from "../../emulators/stripe";
import type { ConsoleProcess } from "../console/console-process";
import type { MovableClock } from "../console/movable-clock";
import type { MoneyBench } from "./bench";
import { adjustCredits, askForMail, cookieOf, type MailAnswer, type MailRequest, readCredits } from "./calls";
import { askToCancel, type CancelRoute } from "./cancel-routes";
import { CREATE_PATH } from "./lone-sends";

/** The steps of the model test: actions of people, the provider and Stripe, and the result that the model expects. */
export const COSTS = { postcard: 1, letter: 2 } as const;
type MailType = keyof typeof COSTS;
const PACKAGE_CREDITS = 100;
export const HOOK_SECRET = "model-hook-secret-01";

/** Provider behaviour for a send and its result: `charged`, `free`, or `open` until the provider is queried. */
const MOMENTS = {
  mailed: { rule: null, becomes: "charged" },
  refused: { rule: { kind: "refuse200" }, becomes: "free" },
  limited: { rule: { kind: "rate-limit", resetSeconds: 250 }, becomes: "free" },
  "answered as a test": { rule: { kind: "answer-test" }, becomes: "free" },
  "done, answer lost": { rule: { kind: "reset-after" }, becomes: "open" },
  "done, answered 500": { rule: { kind: "error-after" }, becomes: "open" },
  "not done, answer lost": { rule: { kind: "reset-before" }, becomes: "open" },
  "not done, answered 503": { rule: { kind: "status", status: 503 }, becomes: "open" },
} as const satisfies Record<string, { rule: FaultRule | null; becomes: "charged" | "free" | "open" }>;
type Moment = keyof typeof MOMENTS;

interface ModelSend {
  order: MailRequest & { key: string; caller: string; payer: string };
  /** `lost`: it was open, and a failover lost its row. */
  becomes: "charged" | "free" | "open" | "lost";
  /** ID of its row; null without a row or an answer. */
  id: string | null;
  /** The console that sent it, which determines the account at the provider. */
  site: number;
  /** True when the provider has it. */
  isDone: boolean;
  /** Set once it is known to be mail, with the provider's status as far as it matters for a cancel. */
  piece: { id: string; mailItemId: string; status: "received" | "delivered" | "cancelled" } | null;
}

export interface Model {
  balances: Record<string, { balance: number; held: number }>;
  sends: ModelSend[];
  /** Sends that must have an alarm. */
  alarmed: string[];
}

/** The consoles on one database, each with its own key at the provider, and the state that all sequences share. */
export interface Site {
  consoles: ConsoleProcess[];
  /** Index of the console that receives requests now. */
  current: number;
  /** Null on the embedded database, which would use the same clock. */
  clock: MovableClock | null;
  /** Offset of the clock from the true time. */
  skewMs: number;
}

export interface Real {
  site: Site;
  bench: MoneyBench;
  stripe: StripeEmulator;
  /** Distinguishes this sequence's users and keys from all others. */
  name: string;
}

export type Step = fc.AsyncCommand<Model, Real>;

/** @param check true when the model has what the step needs */
export function makeStep(
  words: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: Step["check"] = () => true,
): Step {
  return { check, run, toString: () => words };
}

const adjust = (action: "add" | "deduct", who: string, amount: number) => {
  const step = `${action} ${amount} ${who}`;
  return makeStep(step, async (model, { site, name }) => {
    const account = accountOf(model, who);
    const allowed = action === "add" || account.balance - account.held >= amount;
    const order = { action, amount, userId: `auth-${name}-${who}` };
    const answer = await adjustCredits(originOf(site), `${name}-${who}`, order);
    demand(answer.status === (allowed ? 200 : 402), `${step}: ${answer.status} ${answer.json.error}`);
    if (allowed) account.balance += action === "add" ? amount : -amount;
  });
};

const send = (who: string, type: MailType, moment: Moment) => {
  const step = `${who} sends a ${type}: ${moment}`;
  return makeStep(step, async (model, { site, bench, name }) => {
    const origin = originOf(site);
    const account = accountOf(model, who);
    const cost = COSTS[type];
    const caller = `${name}-${who}`;
    const order = {
      type,
      caller,
      payer: `auth-${caller}`,
      key: `${name}-key-${model.sends.length}`,
    };
    const { rule, becomes } = MOMENTS[moment];
    const fault = rule && bench.provider.fail({ ...rule, path: CREATE_PATH });
    const answer = await askForMail(origin, order);
    fault?.release();
    if (account.balance - account.held < cost) {
      demand(answer.status === 402, `${step}, not affordable: ${describe(answer)}`);
      demand(
        answer.json.balance === account.balance,
        `${step}, balance ${account.balance}: ${describe(answer)}`,
      );
      demand(
        answer.json.shortfall === cost - (account.balance - account.held),
        `${step}, held ${account.held}: ${describe(answer)}`,
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
      id: sendId ?? null,
      site: site.current,
      isDone: becomes === "charged" || moment.startsWith("done"),
      piece: isMail ? { id: sendId, mailItemId: String(id), status: "received" } : null,
    });
    demand(answer.status === (becomes === "open" ? 202 : 200), `${step}: ${describe(answer)}`);
    compareCredits(step, answer, becomes, cost, account.balance);
  });
};

const askAgain = (choice: number, otherBody: boolean) => {
  const step = `the same key as ${choice} ${otherBody ? "with another body" : "again"}`;
  const run = async (model: Model, { site }: Real) => {
    const send = model.sends[choice % model.sends.length];
    if (!send) return;
    const { order } = send;
    // A cancelled piece was refunded.
    const becomes = send.piece?.status === "cancelled" ? "free" : send.becomes;
    if (becomes === "lost") {
      if (!otherBody) await askForLost(step, model, site, send);
      return;
    }
    const origin = originOf(site);
    const answer = await askForMail(origin, otherBody ? { ...order, fields: { tags: "other" } } : order);
    if (otherBody) {
      demand(answer.status === 422, `${step}: ${describe(answer)}`);
      return;
    }
    demand(answer.json.replayed === true, `${step}: ${describe(answer)}`);
    demand(answer.status === (becomes === "open" ? 202 : 200), `${step}: ${describe(answer)}`);
    compareCredits(step, answer, becomes, COSTS[order.type], balanceOf(model, order));
  };
  return makeStep(step, run, ({ sends }) => sends.length > 0);
};

/**
 * Repeats the key of a lost send at the console that sent it. The provider finds the piece or creates it. It is
 * charged once, if the payer has the credits.
 */
export async function askForLost(step: string, model: Model, site: Site, send: ModelSend): Promise<void> {
  const { order } = send;
  const account = accountOf(model, ownerOf(order));
  const cost = COSTS[order.type];
  const answer = await askForMail(site.consoles[send.site]?.origin ?? "", order);
  if (account.balance - account.held < cost) {
    demand(answer.status === 402, `${step}, lost and not affordable: ${describe(answer)}`);
    return;
  }
  account.balance -= cost;
  send.becomes = "charged";
  demand(answer.status === 200 && !answer.json.replayed, `${step}, lost: ${describe(answer)}`);
  demand(answer.json.send_id === send.id, `${step}, lost: another send, ${answer.json.send_id}`);
  compareCredits(`${step}, lost`, answer, "charged", cost, account.balance);
  const { id } = answer.json.data as { id: number };
  send.piece = { id: answer.json.send_id ?? "", mailItemId: String(id), status: "received" };
  if (send.isDone) model.alarmed.push(send.piece.id);
  send.isDone = true;
}

/** A mailed send, or null. */
function pickMailed(model: Readonly<Model>, choice: number) {
  const mailed = model.sends.flatMap(({ order, piece, site }) => (piece ? [{ order, piece, site }] : []));
  return mailed[choice % mailed.length] ?? null;
}

const cancel = (choice: number, route: CancelRoute) => {
  const step = `mailed ${choice} is cancelled by ${route}`;
  const run = async (model: Model, { site }: Real) => {
    const picked = pickMailed(model, choice);
    if (!picked) return;
    const { order, piece } = picked;
    const origin = originOf(site);
    const { type, payer: userId, caller } = order;
    const told = await askToCancel(origin, route, { ...piece, userId, type }, caller);
    // Another account's key cancels nothing: an equal id may be another customer's mail there.
    const isCancelled = piece.status === "received" && picked.site === site.current;
    const refunded = isCancelled ? COSTS[type] : 0;
    demand(!told.pending && (told.refunded ?? 0) === refunded, `${step}: ${JSON.stringify(told)}`);
    if (isCancelled) piece.status = "cancelled";
    accountOf(model, ownerOf(order)).balance += refunded;
  };
  return makeStep(step, run, (model) => pickMailed(model, choice) !== null);
};

const providerEvent = (choice: number, status: "delivered" | "cancelled", times: number) => {
  const step = `mailed ${choice} is ${status} at the provider, delivered ${times} times`;
  const run = async (model: Model, { site, bench }: Real) => {
    const picked = pickMailed(model, choice);
    if (!picked) return;
    const { order, piece } = picked;
    const origin = originOf(site);
    const { webhooks } = bench.provider;
    bench.provider.move(Number(piece.mailItemId), status, picked.site);
    piece.status = status;
    if (status === "cancelled") accountOf(model, ownerOf(order)).balance += COSTS[order.type];
    const { tags } = bench.provider.pieces.find(({ id }) => String(id) === piece.mailItemId) ?? { tags: "" };
    const event = webhooks.describe([{ id: Number(piece.mailItemId), status, tags }]);
    const body = JSON.stringify(event);
    const headers = { "X-Stannp-Signature": webhooks.sign(body, HOOK_SECRET) };
    for (let time = 0; time < times; time++) await deliver(`${origin}/api/stannp/webhook`, body, headers);
    await demandBalance(step, origin, order, balanceOf(model, order));
  };
  return makeStep(step, run, (model) => pickMailed(model, choice)?.piece.status === "received");
};

const checkOut = (who: string, course: "pay" | "expire" | "leave", times: number) => {
  const step = `${who} buys credits: ${course}, delivered ${times} times`;
  return makeStep(step, async (model, { site, stripe, name }) => {
    const origin = originOf(site);
    const caller = `${name}-${who}`;
    const order = { caller, payer: `auth-${caller}` };
    const reply = await fetch(`${origin}/api/stripe/create-checkout`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Cookie: await cookieOf(caller) },
      body: JSON.stringify({ user_id: order.payer, success_url: `${origin}/`, cancel_url: `${origin}/` }),
    });
    demand(reply.status === 200, `${step}: ${reply.status} ${await reply.text()}`);
    const page = [...stripe.sessions.keys()].at(-1) ?? "";
    if (course === "pay") stripe.account.pay(page);
    if (course === "expire") stripe.account.expire(page);
    const account = accountOf(model, who);
    if (course === "pay") account.balance += PACKAGE_CREDITS;
    if (course === "leave") return;
    const body = JSON.stringify(stripe.events.at(-1));
    const headers = { "Stripe-Signature": stripe.webhooks.sign(body, { atMs: Date.now() + site.skewMs }) };
    for (let time = 0; time < times; time++) await deliver(`${origin}/api/stripe/webhook`, body, headers);
    await demandBalance(step, origin, order, account.balance);
  });
};

/** The console that receives requests now. */
function originOf({ consoles, current }: Site): string {
  return consoles[current]?.origin ?? "";
}

/** Posts an event to a webhook. */
async function deliver(url: string, body: string, headers: Record<string, string>): Promise<void> {
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

export function accountOf(model: Model, who: string): { balance: number; held: number } {
  model.balances[who] ??= { balance: 0, held: 0 };
  return model.balances[who];
}

export function ownerOf({ payer }: { payer: string }): string {
  return payer.split("-").at(-1) ?? "";
}

function balanceOf(model: Model, order: { payer: string }): number {
  return accountOf(model, ownerOf(order)).balance;
}

export function describe({ status, json }: MailAnswer): string {
  return `${status} ${json.error} ${JSON.stringify(json.credits)}`;
}

const who = fc.constantFrom("ana", "ben");
const choice = fc.nat(20);
const times = fc.integer({ min: 1, max: 3 });
const sends = fc
  .tuple(
    who,
    fc.constantFrom(...(Object.keys(COSTS) as MailType[])),
    fc.constantFrom(...(Object.keys(MOMENTS) as Moment[])),
  )
  .map((given) => send(...given));

/** Everyday actions of people, the provider and Stripe. */
export const EVERYDAY_STEPS = [
  fc
    .tuple(fc.constantFrom("add" as const, "deduct" as const), who, fc.integer({ min: 1, max: 6 }))
    .map((given) => adjust(...given)),
  fc.tuple(who, fc.integer({ min: 2, max: 9 })).map((given) => adjust("add", ...given)),
  sends,
  // Repeated, because most failures involve a send.
  sends,
  sends,
  fc.tuple(choice, fc.boolean()).map((given) => askAgain(...given)),
  fc
    .tuple(
      choice,
      fc.constantFrom<CancelRoute>("/api/mail/cancel", "/api/mail/cancel by our own id", "the proxy"),
    )
    .map((given) => cancel(...given)),
  fc
    .tuple(choice, fc.constantFrom("delivered" as const, "cancelled" as const), times)
    .map((given) => providerEvent(...given)),
  fc
    .tuple(who, fc.constantFrom("pay" as const, "expire" as const, "leave" as const), times)
    .map((given) => checkOut(...given)),
];
