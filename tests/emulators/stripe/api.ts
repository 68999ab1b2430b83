import type Stripe from "stripe";
import { expandBrackets, type Fields, findObject, readText } from "../mail-provider/http/fields";
import type { StripeAccount } from "./account";
import { buildBalanceTransaction } from "./objects";
import { ApiError, type ApiReply, refuse } from "./reply";

/** A request to `/v1/…`. */
export interface ApiRequest {
  method: string;
  /** Without the query. */
  path: string;
  query: string;
  authorization: string | null;
  idempotencyKey: string | null;
  body: string;
}

type Row = { id: string; created: number };
/** Expanded values of a property. */
type Expand = Record<string, (row: never) => unknown>;

const SESSIONS = "/v1/checkout/sessions";
const DAY_SECONDS = 86_400;

/** The part of the API that Checkout needs. The types of Stripe's package check the names of parameters. */
export class Api {
  /** Requests by idempotency key, with the first answer. */
  readonly #keys = new Map<string, { request: string; reply: ApiReply }>();

  constructor(
    readonly account: StripeAccount,
    readonly secretKey: string,
  ) {}

  answer(request: ApiRequest): ApiReply {
    try {
      this.#authenticate(request.authorization);
      return request.method === "POST" ? this.#once(request) : this.#operate(request);
    } catch (error) {
      if (error instanceof ApiError) return refuse(error.status, error.fields);
      throw error;
    }
  }

  /**
   * Returns the first answer for every repetition of a key; refusals are not kept. @throws ApiError 400 for another
   * request
   */
  #once(call: ApiRequest): ApiReply {
    const { idempotencyKey: key, path, body } = call;
    const request = `${path}\n${body}`;
    const kept = key === null ? undefined : this.#keys.get(key);
    if (kept && kept.request !== request) {
      const message = `Keys can only be used with the parameters they were first used with, unlike '${key}'.`;
      throw new ApiError(400, { type: "idempotency_error", message });
    }
    const reply = kept?.reply ?? this.#operate(call);
    if (key !== null) this.#keys.set(key, { request, reply });
    return reply;
  }

  #operate({ method, path, body, query }: ApiRequest): ApiReply {
    const fields = expandBrackets(new URLSearchParams(body || query));
    if (path === SESSIONS && method === "POST") return this.#create(fields);
    const list = method === "GET" ? this.#list(path, fields) : null;
    if (list) return list;
    const [, id, verb] = /^\/v1\/checkout\/sessions\/([^/]+)(?:\/(expire))?$/.exec(path) ?? [];
    if (id === undefined)
      throw new ApiError(404, { message: `Unrecognized request URL (${method}: ${path}).` });
    if (!this.account.sessions.has(id)) {
      const message = `No such checkout.session: '${id}'`;
      throw new ApiError(404, { code: "resource_missing", message });
    }
    return this.#show(verb ? this.account.expire(id) : this.account.find(id), fields);
  }

  #create(fields: Fields): ApiReply {
    if (requireText(fields, "mode") !== "payment")
      throw new ApiError(400, { message: "The Stripe emulator sells in mode `payment` only." });
    const item = at(fields, "line_items", "0");
    const price = at(item, "price_data");
    const session = this.account.open({
      amount: Number(requireText(price, "unit_amount")) * Number(requireText(item, "quantity")),
      currency: requireText(price, "currency").toLowerCase(),
      expiresSeconds: Math.floor(this.account.settings.now() / 1000) + DAY_SECONDS,
      clientReferenceId: readText(fields, "client_reference_id") || null,
      metadata: readTexts(fields, "metadata"),
      productName: requireText(at(price, "product_data"), "name"),
      intentMetadata: readTexts(fields, "payment_intent_data", "metadata"),
      successUrl: requireText(fields, "success_url"),
      cancelUrl: readText(fields, "cancel_url") || null,
      customerEmail: readText(fields, "customer_email") || null,
      invoiced: readTexts(fields, "invoice_creation").enabled === "true",
    });
    return this.#show(session, fields);
  }

  #show(session: Stripe.Checkout.Session, fields: Fields): ApiReply {
    const shown: Record<string, unknown> = { ...session };
    for (const name of Object.values(readTexts(fields, "expand"))) {
      if (name === "invoice") {
        shown.invoice = this.#showInvoice(session);
        continue;
      }
      const intent = this.account.intents.get(String(session.payment_intent)) ?? null;
      const charge = this.account.charges.get(String(intent?.latest_charge)) ?? null;
      shown.payment_intent =
        intent && name.endsWith("latest_charge") ? { ...intent, latest_charge: charge } : intent;
    }
    return { status: 200, body: structuredClone(shown) };
  }

  #showInvoice({ id, invoice }: Stripe.Checkout.Session) {
    if (typeof invoice !== "string") return null;
    const hosted_invoice_url = this.account.findReceiptUrl(id);
    return { id: invoice, number: this.account.numberOf(invoice), hosted_invoice_url };
  }

  /** Sessions, charges, refunds, credit notes or disputes; null for another path. */
  #list(path: string, fields: Fields): ApiReply | null {
    const { sessions, intents, charges, refunds, disputes } = this.account;
    const charge = (row: { charge: string }) => charges.get(row.charge) ?? null;
    const balance_transaction = (row: Stripe.Charge) => buildBalanceTransaction(row);
    const payment_intent = (row: Stripe.Checkout.Session) => intents.get(String(row.payment_intent)) ?? null;
    const wanted = readText(fields, "payment_intent");
    const found = [...sessions.values()].filter((one) => ["", one.payment_intent].includes(wanted));
    switch (path) {
      case SESSIONS:
        return listRows(path, found, fields, {
          payment_intent,
          invoice: (row: Stripe.Checkout.Session) => this.#showInvoice(row),
        });
      case "/v1/credit_notes": {
        const invoice = readText(fields, "invoice");
        const notes = this.account.creditNotes.filter((note) => note.invoice === invoice);
        return listRows(path, notes, fields, {});
      }
      case "/v1/charges":
        return listRows(path, [...charges.values()], fields, { balance_transaction });
      case "/v1/refunds":
        return listRows(path, refunds, fields, { charge });
      case "/v1/disputes":
        return listRows(path, disputes, fields, { charge });
      default:
        return null;
    }
  }

  #authenticate(authorization: string | null): void {
    const [, key = ""] = /^Bearer (.+)$/i.exec(authorization ?? "") ?? [];
    if (key === this.secretKey) return;
    throw new ApiError(401, {
      message: `Invalid API Key provided: ${key.slice(0, 7)}${"*".repeat(8)}${key.slice(-4)}`,
    });
  }
}

/** One page of rows, newest first, as in every list of the API. */
function listRows(path: string, rows: readonly Row[], fields: Fields, expandable: Expand): ApiReply {
  const limit = Number(readText(fields, "limit") || 10);
  const after = readText(fields, "starting_after");
  const days = readTexts(fields, "created");
  const found = rows
    .filter(({ created }) => created >= Number(days.gte ?? 0))
    .filter(({ created }) => created < Number(days.lt ?? Number.POSITIVE_INFINITY))
    .reverse();
  const rest = after === "" ? found : found.slice(found.findIndex(({ id }) => id === after) + 1);
  const wanted = Object.values(readTexts(fields, "expand")).map((name) => name.replace(/^data\./, ""));
  const data = rest.slice(0, limit).map((row) => {
    const shown: Record<string, unknown> = { ...row };
    for (const name of wanted) shown[name] = (expandable[name] as (row: Row) => unknown)(row);
    return structuredClone(shown);
  });
  return { status: 200, body: { object: "list", data, has_more: rest.length > data.length, url: path } };
}

/** The fields below a path of names and positions; empty when the path does not exist. */
function at(fields: Fields, ...path: string[]): Fields {
  return path.reduce<Fields>((place, name) => {
    const value = place[name];
    return Array.isArray(value) ? Object.fromEntries(value.entries()) : (findObject(place, name) ?? {});
  }, fields);
}

function readTexts(fields: Fields, ...path: string[]): Record<string, string> {
  const found = at(fields, ...path);
  return Object.fromEntries(Object.keys(found).map((name) => [name, readText(found, name)]));
}

function requireText(fields: Fields, name: string): string {
  const text = readText(fields, name);
  if (text !== "") return text;
  throw new ApiError(400, { code: "parameter_missing", message: `Missing required param: ${name}.` });
}
