import type { MoneyBench } from "./bench";
import { askForMail, cookieOf, type MailRequest } from "./calls";

/** A mailed piece that may be cancelled. */
export interface MailedPiece {
  /** ID of its send and its mail item. */
  id: string;
  userId: string;
  type: "letter" | "postcard";
  mailItemId: string;
}

/** The answer to a cancel. `status` is null when the connection broke. */
export interface CancelAnswer {
  status: number | null;
  /** Credits; null when the answer has no refund. */
  refunded: number | null;
  /** Credits of the payer; null when the answer has none. */
  newBalance: number | null;
  pending: boolean;
  /** True when it says that the piece is cancelled. */
  cancelled: boolean;
  error: string | null;
}

type Refund = { creditsRefunded?: number; newBalance?: number } | null;
interface CancelJson {
  pending?: boolean;
  error?: string | null;
  refund?: Refund;
  credits?: Refund;
}

/** The answer of a console that was not reached. */
export const NOT_ASKED: CancelAnswer = {
  status: null,
  refunded: null,
  newBalance: null,
  pending: false,
  cancelled: false,
  error: null,
};

/** The three routes that cancel a piece, as a script calls them. */
const CANCEL_ROUTES = {
  "/api/mail/cancel": ({ userId, mailItemId, type }: MailedPiece) => ({
    path: "/api/mail/cancel",
    body: { userId, mailItemId, type },
  }),
  "/api/mail/cancel by our own id": ({ userId, id, type }: MailedPiece) => ({
    path: "/api/mail/cancel",
    body: { userId, mailItemId: id, type },
  }),
  "the proxy": ({ mailItemId, type }: MailedPiece) => ({
    path: "/api/stannp",
    body: { path: `${type}s/cancel`, method: "POST", body: { id: mailItemId } },
  }),
  "the stored response": ({ id }: MailedPiece) => ({ path: `/api/responses/${id}/cancel`, body: {} }),
  "the tab's form": ({ userId, id, type }: MailedPiece) => ({
    path: "/mail",
    body: new URLSearchParams({ intent: "cancel", user_id: userId, type, item: id }),
  }),
} as const;

export type CancelRoute = keyof typeof CANCEL_ROUTES;
export const ALL_CANCEL_ROUTES = Object.keys(CANCEL_ROUTES) as CancelRoute[];
/** Routes that work at any moment: a stored response appears shortly after its answer. */
export const ROUTES_BEFORE_STORING = ALL_CANCEL_ROUTES.filter((route) => route !== "the stored response");

/** True when the stored response of this piece exists. */
export async function isStored(origin: string, { id }: MailedPiece): Promise<boolean> {
  const reply = await fetch(`${origin}/api/responses/${id}`, { headers: { Cookie: await cookieOf("ana") } });
  await reply.text();
  return reply.status === 200;
}

/** Cancels by a route of a console. Never rejects. */
export async function askToCancel(
  origin: string,
  route: CancelRoute,
  piece: MailedPiece,
  caller = "ana",
): Promise<CancelAnswer> {
  const { path, body } = CANCEL_ROUTES[route](piece);
  const isForm = body instanceof URLSearchParams;
  try {
    const reply = await fetch(`${origin}${path}`, {
      method: "POST",
      headers: {
        "Content-Type": isForm ? "application/x-www-form-urlencoded" : "application/json",
        Cookie: await cookieOf(caller),
      },
      body: isForm ? body.toString() : JSON.stringify(body),
      redirect: "manual",
    });
    const text = await reply.text();
    if (isForm) return readTab(reply, text);
    const json = JSON.parse(text) as CancelJson;
    const refunded = json.refund?.creditsRefunded ?? json.credits?.creditsRefunded ?? null;
    return {
      status: reply.status,
      refunded,
      newBalance: json.refund?.newBalance ?? json.credits?.newBalance ?? null,
      pending: json.pending === true,
      cancelled: refunded !== null && json.pending !== true,
      error: json.error ?? null,
    };
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    return { ...NOT_ASKED, error: String((error as Error).cause ?? error) };
  }
}

/** Reads the message for the tab from its signed cookie, whose content anyone can read. */
function readTab({ status, headers }: Response, page: string): CancelAnswer {
  const [, cookie] = /mailroom_flash=([^;.]+)/.exec(headers.get("Set-Cookie") ?? "") ?? [];
  if (!cookie) return { ...NOT_ASKED, status, error: page.slice(0, 200) };
  const { tone, message } = JSON.parse(Buffer.from(decodeURIComponent(cookie), "base64").toString()) as {
    tone: "ok" | "bad" | "info";
    message: string;
  };
  const [, credits, balance] = / - (\d+) credits? refunded \(New balance: (\d+)\)/.exec(message) ?? [];
  const refunded = credits === undefined ? null : Number(credits);
  return {
    status,
    refunded,
    newBalance: balance === undefined ? null : Number(balance),
    pending: tone === "info" && refunded === null,
    cancelled: refunded !== null,
    error: refunded === null ? message : null,
  };
}

/** Mails a piece through a console; retries while its database is too busy. @throws when it was not mailed */
export async function mailPiece(
  origin: string,
  order: MailRequest & { payer: string },
): Promise<MailedPiece> {
  let answer = await askForMail(origin, order);
  while (answer.status === 503) answer = await askForMail(origin, order);
  const { json } = answer;
  const { id } = (json.data ?? {}) as { id?: number };
  if (!json.send_id || !id || !json.credits?.success) throw new Error(JSON.stringify(json));
  return { id: json.send_id, userId: order.payer, type: order.type, mailItemId: String(id) };
}

/** The result of a cancel in the books and at the provider. */
export async function lookAtCancel(bench: MoneyBench, { id, userId, mailItemId }: MailedPiece) {
  return bench.inBooks(async (db) => {
    const send = await db.send.findUniqueOrThrow({ where: { id } });
    const item = await db.mailItem.findUniqueOrThrow({ where: { id } });
    const refunds = await db.creditTransaction.findMany({ where: { cause: "refund", causeKey: id } });
    const account = await db.creditAccount.findUniqueOrThrow({ where: { userId } });
    return {
      state: send.state,
      isCancelled: item.isCancelled,
      status: item.status,
      refunds: refunds.map(({ amount }) => amount),
      balance: account.balance,
      atProvider: bench.provider.pieces.find((piece) => String(piece.id) === mailItemId)?.status,
    };
  });
}
