import type { AuditRoom } from "./audit/audit-view";
import type { BodyLimits } from "./platform/http/body.server";
import type { AccessTable, RouteAccess } from "./platform/http/gate.server";

/**
 * Every route with its callers, methods, kind of body and limits: 16 KB and 500 fields by default. The gate refuses anything
 * else before Remix sees it; the route checks the session or the signature. `rate` is the class of its rate limit; by
 * default a GET is a read and the rest a write. `audit` is the room of the audit log. `scope` is required of a person and,
 * in `api`, of a token; `intents` are forms of a page that need another scope. A test fails for a route file without a row,
 * and for a method for signed-in callers without a scope.
 */

const open = { caller: "anyone", body: "none" } as const;
const own = { caller: "signed-in", body: "none" } as const;
const ownJson = { caller: "signed-in", body: "json" } as const;
const ownForm = { caller: "signed-in", body: "form" } as const;
const openForm = { caller: "anyone", body: "form" } as const;
const reads = { scope: "read" } as const;
const tests = { scope: "send:test" } as const;
/** Changes at the mail provider, and deletions. */
const change = { scope: "send:live" } as const;
const money = { scope: "credits" } as const;
const admin = { scope: "admin" } as const;
const ownRead = { ...own, ...reads } as const;
const search = { ...ownRead, rate: "search" } as const;
const file = { ...ownRead, rate: "export" } as const;
/** Personal data in bulk. */
const bulkFile = { ...file, ...change, ...audited("export") } as const;
const login = { ...open, rate: "sign-in" } as const;
const watch = { ...open, rate: "never" } as const;
/** May call the provider. */
const send = { rate: "send" } as const;
/** Asks the provider about a piece before a person confirms its cancel. */
const ownCancel = { ...ownRead, questions: ["cancel"] } as const;

const KB = 1024;
const MB = 1024 * KB;
/** A request with artwork, 200 query parameters and 200 headers. Without a session: text only. */
const BUILDER_FORM: BodyLimits = { anonymousBytes: MB, knownBytes: 20 * MB, fields: 2_000 };
/** A request with artwork, or a response. */
const LARGE_JSON: BodyLimits = { anonymousBytes: 0, knownBytes: 20 * MB, fields: 0 };
/** 200,000 characters of up to four bytes, escaped. */
const LETTER_JSON: BodyLimits = { anonymousBytes: 0, knownBytes: MB, fields: 0 };
/** A list of 50,000 rows, as a file or pasted, and the correction of a row. Without a session a row fits. */
const LIST_FILE: BodyLimits = { anonymousBytes: 16 * KB, knownBytes: 12 * MB, fields: 300 };
/** 200 ids. */
const LIST_JSON: BodyLimits = { anonymousBytes: 0, knownBytes: 64 * KB, fields: 0 };
/** Unsigned, only the ping of a new webhook. */
const PROVIDER_EVENT: BodyLimits = { anonymousBytes: 16 * KB, knownBytes: 4 * MB, fields: 0 };
const STRIPE_EVENT: BodyLimits = { anonymousBytes: 16 * KB, knownBytes: MB, fields: 0 };

/** Forms of a list that mail nothing and delete nothing. */
const PREPARE_LIST = Object.fromEntries(
  [
    ...["import", "import_group", "import_rows", "columns", "check_addresses", "stop_addresses", "correct"],
    ...["leave_out", "leave_out_all", "allow_all", "take_back", "test"],
  ].map((intent) => [intent, "send:test" as const]),
);

export const ACCESS = {
  // Pages. Signed-out visitors see the four tabs without data.
  "routes/$": page({ GET: open }),
  // Open, so that a form posted after the session's end is shown again with its values.
  "routes/_index": page({
    GET: { ...open, ...reads },
    POST: {
      ...{ ...openForm, ...send, limits: BUILDER_FORM },
      intents: {
        list: "send:test",
        save_template: "send:test",
        delete_template: "send:test",
        buy: "credits",
      },
    },
  }),
  "routes/users": page({
    GET: { ...open, ...reads },
    POST: { ...openForm, ...money, ...audited("credits"), intents: { create_user: "others" } },
  }),
  "routes/users_.low-balance": page({ POST: { ...ownForm, ...money, ...audited("setting") } }),
  "routes/stored": page({
    GET: { ...open, ...reads, rate: "search", questions: ["cancel"] },
    POST: {
      ...{ ...ownForm, ...change, ...audited("response") },
      intents: { save_copy: "send:test", change_tags: "send:test" },
    },
  }),
  "routes/mail": page({
    GET: { ...open, ...reads, questions: ["ask"] },
    POST: { ...ownForm, ...change, ...send, ...audited("mail"), intents: { refresh: "read" } },
  }),
  "routes/mail_.reconciliation": page({ GET: ownRead, POST: { ...ownForm, ...reads, ...send } }),
  "routes/insights": page({ GET: { ...open, ...reads, rate: "search" } }),
  "routes/alarms": page({ GET: ownRead, POST: { ...ownForm, ...money, ...audited("alarm") } }),
  "routes/audit": page({ GET: { ...own, ...admin } }),
  "routes/api-log": page({ GET: search }),
  "routes/bulk": page({ GET: ownRead }),
  "routes/bulk_.$id": page({
    GET: { ...ownRead, questions: ["groups"] },
    POST: { ...ownForm, ...change, ...send, ...audited("list"), limits: LIST_FILE, intents: PREPARE_LIST },
  }),
  "routes/profile": page({ GET: own, POST: { ...ownForm, ...audited("token") } }),
  "routes/reference": page({ GET: open }),
  "routes/purchases": page({ GET: ownRead }),
  "routes/purchases_.$id": page({ GET: ownRead, POST: { ...ownForm, ...money } }),
  "routes/purchases_.$id.receipt": page({ GET: file }),
  "routes/recipients.$id": page({ GET: search, POST: { ...ownForm, ...admin, ...audited("person") } }),
  "routes/search": page({ GET: search, POST: { ...ownForm, ...reads, rate: "search" } }),
  "routes/sends.$id": page({
    GET: ownCancel,
    POST: {
      ...{ ...ownForm, ...change, ...send, ...audited("piece") },
      intents: {
        ...{ refresh: "read", simulate: "send:test" },
        ...{ mailed: "admin", not_mailed: "admin", "give-up": "admin" },
      },
    },
  }),
  "routes/stored_.$id": page({ GET: ownCancel }),
  "routes/stored_.compare": page({ GET: search }),
  "routes/webhooks": page({ GET: ownRead, POST: { ...ownForm, ...admin, ...audited("webhook") } }),
  "routes/webhooks_.$id": page({ GET: ownRead, POST: { ...ownForm, ...admin, ...audited("webhook") } }),
  "routes/webhooks_.$id_.deliveries.$delivery": page({
    GET: ownRead,
    POST: { ...ownForm, ...admin, ...audited("webhook") },
  }),

  // Files.
  "routes/audit[.]csv": json({ GET: { ...bulkFile, ...admin } }),
  "routes/bulk_.$id_.example[.]csv": json({ GET: file }),
  "routes/bulk_.$id_.proof[.]pdf": page({ GET: bulkFile }),
  "routes/bulk_.$id_.result[.]csv": json({ GET: bulkFile }),
  "routes/mail_.items[.]csv": json({ GET: bulkFile }),
  "routes/mail_.recipients[.]csv": json({ GET: bulkFile }),
  "routes/recipients.$id_.data[.]json": json({ GET: bulkFile }),
  "routes/sends.$id_.piece[.]pdf": page({ GET: file }),
  "routes/sends.$id_.proof[.]pdf": page({ GET: bulkFile }),
  "routes/stored[.]csv": json({ GET: bulkFile }),
  "routes/stored[.]ndjson": json({ GET: bulkFile }),
  "routes/stored_.$id.answer": page({ GET: file }),
  "routes/tested.$file": page({ GET: file }),
  "routes/users_.history[.]csv": json({ GET: { ...bulkFile, ...money } }),
  "routes/users_.spending[.]csv": json({ GET: { ...bulkFile, ...money } }),

  // JSON.
  "routes/bulk_.$id_.import": json({ GET: ownRead }),
  "routes/api.credits": api({
    GET: { ...own, ...reads },
    POST: { ...ownJson, ...money, ...audited("credits") },
  }),
  "routes/api.credits.transactions": api({ GET: { ...own, ...reads } }),
  "routes/api.curl": api({ POST: { ...ownJson, ...reads, rate: "read", limits: LETTER_JSON } }),
  // While a person types.
  "routes/api.letter-layout": api({ POST: { ...ownJson, ...reads, rate: "read", limits: LETTER_JSON } }),
  "routes/api.returned-address": api({ POST: { ...ownJson, ...reads, rate: "read" } }),
  "routes/api.mail.cancel": api({ POST: { ...ownJson, ...change, ...send, ...audited("piece") } }),
  "routes/api.mail.items": api({ GET: { ...own, ...reads } }),
  "routes/api.mail.recipients": api({ GET: { ...own, ...reads } }),
  "routes/api.mail.recipients.delete": api({ POST: { ...ownJson, ...change, ...send, ...audited("mail") } }),
  "routes/api.mail.refresh": api({ POST: { ...ownJson, ...reads, ...send, limits: LIST_JSON } }),
  "routes/api.openapi[.]json": json({ GET: open }),
  "routes/api.pieces": api({
    GET: { ...own, ...reads },
    POST: { ...ownJson, ...send, scope: "by-request", limits: LARGE_JSON },
  }),
  "routes/api.pieces.$id": api({ GET: { ...own, ...reads } }),
  "routes/api.pieces.$id.pdf": api({ GET: { ...file, ...reads } }),
  "routes/api.pieces.$id.cancel": api({ POST: { ...own, ...change, ...send, ...audited("piece") } }),
  "routes/api.responses": api({
    GET: { ...search, ...reads },
    POST: { ...ownJson, ...tests, limits: LARGE_JSON },
  }),
  "routes/api.responses.$id": api({
    GET: { ...own, ...reads },
    DELETE: { ...own, ...change, ...audited("response") },
  }),
  "routes/api.responses.$id.cancel": api({ POST: { ...own, ...change, ...send, ...audited("piece") } }),
  "routes/api.responses.stats": api({ GET: { ...own, ...reads } }),
  // While a person types.
  "routes/api.search": api({ POST: { ...ownJson, ...reads, rate: "read" } }),
  // Reads, tests and live mail; the request says which.
  "routes/api.stannp": api({ POST: { ...ownJson, ...send, scope: "by-request", limits: LARGE_JSON } }),
  "routes/api.stripe.create-checkout": api({ POST: { ...ownJson, ...money } }),
  "routes/api.users": api({ GET: { ...own, ...reads } }),
  "routes/api.webhooks.$id.replay": api({ POST: { ...ownJson, ...audited("webhook"), ...change } }),
  "routes/api.webhooks.deliveries": api({ GET: { ...own, ...reads } }),
  "routes/stored_.$id.saved": json({ GET: ownRead }),

  // Webhooks. The signature of the body is checked.
  "routes/api.stannp.webhook": json({
    POST: { caller: "provider-signature", body: "bytes", rate: "webhook", limits: PROVIDER_EVENT },
  }),
  "routes/api.stripe.webhook": json({
    POST: { caller: "stripe-signature", body: "bytes", rate: "webhook", limits: STRIPE_EVENT },
  }),

  // Sign-in, preferences and monitoring.
  "routes/api.auth.callback": page({ GET: { ...login, ...audited("sign_in") } }),
  "routes/api.auth.login": page({ GET: login }),
  "routes/api.auth.logout": page({
    GET: { ...open, ...audited("sign_out") },
    POST: { ...open, ...audited("sign_out") },
  }),
  "routes/preferences": page({ POST: openForm }),
  "routes/healthz": json({ GET: watch }),
  "routes/[.]well-known.security[.]txt": page({ GET: open }),
  "routes/metrics": page({ GET: { caller: "metrics-token", body: "none", rate: "never" } }),
  "routes/readyz": json({ GET: watch }),
} satisfies AccessTable;

function audited(audit: AuditRoom) {
  return { audit } as const;
}

function page(methods: RouteAccess["methods"]): RouteAccess {
  return { refusals: "text", methods };
}

/** Accepts tokens that have the scope. Refuses with JSON. */
function api(methods: RouteAccess["methods"]): RouteAccess {
  return { refusals: "json", tokens: true, methods };
}

function json(methods: RouteAccess["methods"]): RouteAccess {
  return { refusals: "json", methods };
}
