import { setTimeout as wait } from "node:timers/promises";
import type { ProxyResponse } from "~/proxy/answer.schema.server";
import { makeSessionCookie } from "../console/session-cookie";

export const RECIPIENT = {
  firstname: "Ana",
  lastname: "Lopez",
  address1: "1 High St",
  city: "Austin",
  postcode: "78701",
  country: "US",
};
const BODIES = {
  postcard: { path: "postcards/create", body: { size: "4x6", template: "21001", recipient: RECIPIENT } },
  letter: { path: "letters/create", body: { template: "", pages: "<p>Hello</p>", recipient: RECIPIENT } },
} as const;

/** A request for mail. A postcard costs 1 credit, a letter 2. */
export interface MailRequest {
  type: keyof typeof BODIES;
  /** Signed in as `auth-<caller>`. */
  caller?: string;
  /** User id of the payer; the caller by default. */
  payer?: string;
  key?: string;
  test?: boolean;
  /** Fields that replace those of the body. */
  fields?: Record<string, unknown>;
  /** Fields beside the body. */
  envelope?: Record<string, unknown>;
}

/** The answer to a request for mail. `status` is null when the connection broke. */
export interface MailAnswer {
  status: number | null;
  json: Partial<ProxyResponse> & { error?: string | null; details?: string };
}

const cookies = new Map<string, Promise<string>>();

/** The `Cookie` of the caller. */
export function cookieOf(caller: string): Promise<string> {
  const made = cookies.get(caller) ?? makeSessionCookie(caller);
  cookies.set(caller, made);
  return made;
}

/** Sends mail through a console as a script of the caller does. Never rejects. */
export async function askForMail(
  origin: string,
  { type, caller = "ana", payer, key, test = false, fields = {}, envelope = {} }: MailRequest,
  signal: AbortSignal | null = null,
): Promise<MailAnswer> {
  const { path, body } = BODIES[type];
  const request = {
    path,
    method: "POST",
    body: { ...body, test, ...fields },
    user_id: payer ?? `auth-${caller}`,
    ...(key === undefined ? {} : { idempotency_key: key }),
    ...envelope,
  };
  const cookie = await cookieOf(caller);
  try {
    const reply = await fetch(`${origin}/api/stannp`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Cookie: cookie },
      body: JSON.stringify(request),
      signal,
    });
    return { status: reply.status, json: JSON.parse(await reply.text()) };
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    return { status: null, json: {} };
  }
}

/** True when an answer leaves the outcome of the mail open. */
export function isOpenAnswer({ status, json }: MailAnswer): boolean {
  return status === null || status === 202 || status === 409 || json.credits?.pending === true;
}

/** Repeats the request with the same key until the answer is settled. @throws when it is not after `limitMs` */
export async function askUntilSettled(
  origin: string,
  order: MailRequest & { key: string },
  limitMs = 180_000,
): Promise<MailAnswer> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const answer = await askForMail(origin, order);
    if (!isOpenAnswer(answer)) return answer;
    if (Date.now() > deadline) {
      throw new Error(`${order.key} is still open: ${answer.status} ${JSON.stringify(answer.json)}`);
    }
    await wait(250);
  }
}

/** Makes one adjustment by hand, as a script of the caller does. */
export async function adjustCredits(
  origin: string,
  caller: string,
  { action, amount, userId }: { action: "add" | "deduct"; amount: number; userId: string },
): Promise<{ status: number; json: { success: boolean; error?: string } }> {
  const reply = await fetch(`${origin}/api/credits`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Cookie: await cookieOf(caller) },
    body: JSON.stringify({ user_id: userId, amount, description: "by a test", action }),
  });
  return { status: reply.status, json: await reply.json() };
}

/** Balance and held credits of a user, as `GET /api/credits` returns them to the caller. */
export async function readCredits(origin: string, caller: string, userId: string): Promise<number> {
  const reply = await fetch(`${origin}/api/credits?user_id=${encodeURIComponent(userId)}`, {
    headers: { Cookie: await cookieOf(caller) },
  });
  const { data } = (await reply.json()) as { data: [{ credits: number }] };
  return data[0].credits;
}
