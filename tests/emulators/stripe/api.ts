import type Stripe from "stripe";
import type { StripeAccount } from "./account";
import { type FormTree, listPaths, parseForm, readText, readTexts } from "./form";
import { IdempotencyKeys } from "./idempotency";
import { answerList, listRows } from "./lists";
import { ApiError, type ApiReply, refuse, requireFound } from "./reply";

/** What came in at `/v1/…`, as a test may look at it. */
export interface ApiRequest {
  method: string;
  /** Without the query. */
  path: string;
  query: string;
  authorization: string | null;
  idempotencyKey: string | null;
  body: string;
}

const DAY_SECONDS = 86_400;
const HALF_HOUR_SECONDS = 1_800;
const NEW_SESSION_FIELDS = new Set([
  "adaptive_pricing.enabled",
  "cancel_url",
  "client_reference_id",
  "customer_email",
  "expires_at",
  "line_items.#.price_data.currency",
  "line_items.#.price_data.product_data.description",
  "line_items.#.price_data.product_data.name",
  "line_items.#.price_data.unit_amount",
  "line_items.#.quantity",
  "locale",
  "mode",
  "payment_intent_data.description",
  "payment_method_types.#",
  "submit_type",
  "success_url",
]);
const FREE_FIELDS = /^(metadata|payment_intent_data\.metadata|expand)\./;

/** The part of the API that Checkout needs, as the reference documents it. */
export class Api {
  readonly #keys = new IdempotencyKeys();

  constructor(
    readonly account: StripeAccount,
    readonly secretKey: string,
  ) {}

  async answer(request: ApiRequest): Promise<ApiReply> {
    try {
      this.#authenticate(request.authorization);
      const operate = () => this.#operate(request, parseForm(request.body || request.query));
      return request.method === "POST" ? await this.#keys.once(request, operate) : operate();
    } catch (error) {
      if (error instanceof ApiError) return refuse(error.status, error.fields);
      throw error;
    }
  }

  #operate({ method, path }: ApiRequest, form: FormTree): ApiReply {
    const [, id, verb] = /^\/v1\/checkout\/sessions(?:\/([^/]+))?(?:\/(expire))?$/.exec(path) ?? [];
    const known = path.startsWith("/v1/checkout/sessions");
    if (known && method === "POST" && id === undefined) return this.#create(form);
    if (known && method === "GET" && id === undefined) return this.#list(form);
    if (id !== undefined) {
      const session = requireFound(this.account.sessions.get(id), "checkout.session", id, "session");
      if (method === "POST" && verb) return this.#show(this.account.expire(session.id), form);
      if (method === "GET" && !verb) return this.#show(this.account.find(session.id), form);
    }
    const list = method === "GET" ? answerList(this.account, path, form) : null;
    if (list) return list;
    throw new ApiError(404, {
      message: `Unrecognized request URL (${method}: ${path}). The Stripe emulator knows Checkout Sessions and lists of payments.`,
    });
  }

  #create(form: FormTree): ApiReply {
    const unknown = listPaths(form).find((path) => !NEW_SESSION_FIELDS.has(path) && !FREE_FIELDS.test(path));
    if (unknown !== undefined) {
      throw new ApiError(400, {
        code: "parameter_unknown",
        param: unknown,
        message: `Received unknown parameter: ${unknown}`,
      });
    }
    if (requireText(form, "mode") !== "payment") {
      throw new ApiError(400, {
        param: "mode",
        message: "The Stripe emulator sells in mode `payment` only.",
      });
    }
    const now = Math.floor(this.account.settings.now() / 1000);
    const session = this.account.open({
      amount:
        readInteger(form, "line_items.0.price_data.unit_amount") * readInteger(form, "line_items.0.quantity"),
      currency: requireText(form, "line_items.0.price_data.currency").toLowerCase(),
      expiresSeconds: readExpiry(form, now),
      clientReferenceId: readText(form, "client_reference_id"),
      metadata: readTexts(form, "metadata"),
      productName: requireText(form, "line_items.0.price_data.product_data.name"),
      intentMetadata: readTexts(form, "payment_intent_data.metadata"),
      successUrl: requireUrl(form, "success_url") ?? "",
      cancelUrl: readText(form, "cancel_url") === null ? null : requireUrl(form, "cancel_url"),
      customerEmail: readText(form, "customer_email"),
    });
    return this.#show(session, form);
  }

  #list(form: FormTree): ApiReply {
    const intent = readText(form, "payment_intent");
    const found = [...this.account.sessions.values()].filter(
      (session) => intent === null || session.payment_intent === intent,
    );
    return listRows("/v1/checkout/sessions", found, form, {
      payment_intent: (session: Stripe.Checkout.Session) =>
        this.account.intents.get(String(session.payment_intent)) ?? null,
    });
  }

  #show(session: Stripe.Checkout.Session, form: FormTree): ApiReply {
    const wanted = Object.values(readTexts(form, "expand"));
    const shown: Record<string, unknown> = { ...session };
    for (const name of wanted) {
      if (name !== "payment_intent" && name !== "payment_intent.latest_charge") {
        throw new ApiError(400, { message: `This property cannot be expanded (${name}).` });
      }
      const intent = this.account.intents.get(String(session.payment_intent)) ?? null;
      const charge = this.account.charges.get(String(intent?.latest_charge)) ?? null;
      shown.payment_intent =
        intent && name.endsWith("latest_charge") ? { ...intent, latest_charge: charge } : intent;
    }
    return { status: 200, body: structuredClone(shown) };
  }

  #authenticate(authorization: string | null): void {
    const [, scheme = "", credentials = ""] = /^(Bearer|Basic) (.+)$/i.exec(authorization ?? "") ?? [];
    const basic = () => Buffer.from(credentials, "base64").toString("utf8").replace(/:$/, "");
    const key = scheme.toLowerCase() === "basic" ? basic() : credentials;
    if (key === this.secretKey) return;
    const message =
      key === ""
        ? "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth."
        : `Invalid API Key provided: ${key.slice(0, 7)}${"*".repeat(8)}${key.slice(-4)}`;
    throw new ApiError(401, { message });
  }
}

function requireText(form: FormTree, path: string): string {
  const text = readText(form, path);
  if (text !== null && text !== "") return text;
  const param = path.replace(/\.(\w+)/g, "[$1]");
  throw new ApiError(400, {
    code: "parameter_missing",
    param,
    message: `Missing required param: ${param}.`,
  });
}

function readInteger(form: FormTree, path: string): number {
  const text = requireText(form, path);
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const param = path.replace(/\.(\w+)/g, "[$1]");
  throw new ApiError(400, { code: "parameter_invalid_integer", param, message: `Invalid integer: ${text}` });
}

function requireUrl(form: FormTree, path: string): string {
  const text = requireText(form, path);
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new ApiError(400, { code: "url_invalid", param: path, message: "Not a valid URL" });
}

function readExpiry(form: FormTree, now: number): number {
  if (readText(form, "expires_at") === null) return now + DAY_SECONDS;
  const at = Number(readText(form, "expires_at"));
  if (at >= now + HALF_HOUR_SECONDS && at <= now + DAY_SECONDS) return at;
  throw new ApiError(400, {
    param: "expires_at",
    message:
      "The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.",
  });
}
