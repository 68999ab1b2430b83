import type { AuditRoom } from "./audit/audit-view";
import type { BodyLimits } from "./platform/http/body-limits.server";
import type { AccessTable, RouteAccess } from "./platform/http/gate.server";

/**
 * Every route with who may call it, by which methods, with what kind of body, and how much of it. The gate refuses
 * anything else before Remix sees it; the route looks for the session or verifies the signature, and reads no more than
 * its row allows: 16 KB and 500 fields where the row says nothing. `rate` is what a call is counted as; without it a
 * GET is a read and all else a write. `audit` names the room under which the audit log records it. `scope` is what a token must be allowed; without it none is taken. A route file
 * without a row here fails a test, and so does a method of the API for signed-in callers without a scope.
 */

const open = { caller: "anyone", body: "none" } as const;
const own = { caller: "signed-in", body: "none" } as const;
const ownJson = { caller: "signed-in", body: "json" } as const;
const ownForm = { caller: "signed-in", body: "form" } as const;
const openForm = { caller: "anyone", body: "form" } as const;
/** The scope that a token needs; `change` covers everything that changes something at the mail provider, or deletes. */
const reads = { scope: "read" } as const;
const tests = { scope: "send:test" } as const;
const change = { scope: "send:live" } as const;
const money = { scope: "credits" } as const;
const search = { ...own, rate: "search" } as const;
const file = { ...own, rate: "export" } as const;
/** Personal data in bulk. */
const bulkFile = { ...file, ...audited("export") } as const;
const login = { ...open, rate: "sign-in" } as const;
const watch = { ...open, rate: "never" } as const;
/** What may call the provider. */
const send = { rate: "send" } as const;
/** Asks the provider about a piece before a person confirms its cancel. */
const ownCancel = { ...own, questions: ["cancel"] } as const;

const KB = 1024;
const MB = 1024 * KB;
/** A request with its artwork, up to 200 query parameters and 200 headers. Without a session there is room for text. */
const BUILDER_FORM: BodyLimits = { anonymousBytes: MB, knownBytes: 20 * MB, fields: 2_000 };
/** A request with its artwork, or a response. */
const LARGE_JSON: BodyLimits = { anonymousBytes: 0, knownBytes: 20 * MB, fields: 0 };
/** 200,000 characters, of up to four bytes and with their escapes. */
const LETTER_JSON: BodyLimits = { anonymousBytes: 0, knownBytes: MB, fields: 0 };
/** A list of 50,000 rows, by file or pasted, and the correction of a row. */
const LIST_FILE: BodyLimits = { anonymousBytes: 0, knownBytes: 12 * MB, fields: 300 };
/** Two hundred ids. */
const LIST_JSON: BodyLimits = { anonymousBytes: 0, knownBytes: 64 * KB, fields: 0 };
/** Unsigned, only the ping that sets a webhook up. */
const PROVIDER_EVENT: BodyLimits = { anonymousBytes: 16 * KB, knownBytes: 4 * MB, fields: 0 };
const STRIPE_EVENT: BodyLimits = { anonymousBytes: 16 * KB, knownBytes: MB, fields: 0 };

export const ACCESS = {
  // Pages. Whoever is signed out sees the four tabs without anybody's data.
  "routes/$": page({ GET: open }),
  // A form that is posted here after the session's end is shown again as it was, so that nothing typed is lost.
  "routes/_index": page({ GET: open, POST: { ...openForm, ...send, limits: BUILDER_FORM } }),
  "routes/users": page({ GET: open, POST: { ...openForm, ...audited("credits") } }),
  "routes/users_.low-balance": page({ POST: { ...ownForm, ...audited("setting") } }),
  "routes/stored": page({
    GET: { ...open, rate: "search", questions: ["cancel"] },
    POST: { ...ownForm, ...audited("response") },
  }),
  "routes/mail": page({
    GET: { ...open, questions: ["ask"] },
    POST: { ...ownForm, ...send, ...audited("mail") },
  }),
  "routes/mail_.reconciliation": page({ GET: own, POST: { ...ownForm, ...send } }),
  "routes/insights": page({ GET: { ...open, rate: "search" } }),
  "routes/alarms": page({ GET: own, POST: { ...ownForm, ...audited("alarm") } }),
  "routes/audit": page({ GET: own }),
  "routes/api-log": page({ GET: search }),
  "routes/bulk": page({ GET: own }),
  "routes/bulk_.$id": page({
    GET: { ...own, questions: ["groups"] },
    POST: { ...ownForm, ...send, ...audited("list"), limits: LIST_FILE },
  }),
  "routes/profile": page({ GET: own, POST: { ...ownForm, ...audited("token") } }),
  "routes/reference": page({ GET: open }),
  "routes/purchases": page({ GET: own }),
  "routes/purchases_.$id": page({ GET: own, POST: ownForm }),
  "routes/purchases_.$id.receipt": page({ GET: file }),
  "routes/recipients.$id": page({ GET: search, POST: { ...ownForm, ...audited("person") } }),
  "routes/search": page({ GET: search, POST: { ...ownForm, rate: "search" } }),
  "routes/sends.$id": page({ GET: ownCancel, POST: { ...ownForm, ...send, ...audited("piece") } }),
  "routes/stored_.$id": page({ GET: ownCancel }),
  "routes/stored_.compare": page({ GET: search }),
  "routes/webhooks": page({ GET: own, POST: { ...ownForm, ...audited("webhook") } }),
  "routes/webhooks_.$id": page({ GET: own, POST: { ...ownForm, ...audited("webhook") } }),
  "routes/webhooks_.$id_.deliveries.$delivery": page({
    GET: own,
    POST: { ...ownForm, ...audited("webhook") },
  }),

  // Files.
  "routes/audit[.]csv": json({ GET: bulkFile }),
  "routes/bulk_.$id_.example[.]csv": json({ GET: file }),
  "routes/bulk_.$id_.proof[.]pdf": page({ GET: bulkFile }),
  "routes/bulk_.$id_.result[.]csv": json({ GET: bulkFile }),
  "routes/mail_.items[.]csv": json({ GET: bulkFile }),
  "routes/mail_.recipients[.]csv": json({ GET: bulkFile }),
  "routes/recipients.$id_.data[.]json": json({ GET: bulkFile }),
  "routes/pdfjs.$file": page({ GET: open }),
  "routes/sends.$id_.piece[.]pdf": page({ GET: file }),
  "routes/sends.$id_.proof[.]pdf": page({ GET: bulkFile }),
  "routes/stored[.]csv": json({ GET: bulkFile }),
  "routes/stored[.]ndjson": json({ GET: bulkFile }),
  "routes/stored_.$id.answer": page({ GET: file }),
  "routes/tested.$file": page({ GET: file }),
  "routes/users_.history[.]csv": json({ GET: bulkFile }),
  "routes/users_.spending[.]csv": json({ GET: bulkFile }),

  // JSON.
  "routes/bulk_.$id_.import": json({ GET: own }),
  "routes/api.credits": json({
    GET: { ...own, ...reads },
    POST: { ...ownJson, ...money, ...audited("credits") },
  }),
  "routes/api.credits.transactions": json({ GET: { ...own, ...reads } }),
  "routes/api.curl": json({ POST: { ...ownJson, ...reads, rate: "read", limits: LETTER_JSON } }),
  // While a person types.
  "routes/api.letter-layout": json({ POST: { ...ownJson, ...reads, rate: "read", limits: LETTER_JSON } }),
  "routes/api.returned-address": json({ POST: { ...ownJson, ...reads, rate: "read" } }),
  "routes/api.mail.cancel": json({ POST: { ...ownJson, ...change, ...send, ...audited("piece") } }),
  "routes/api.mail.items": json({ GET: { ...own, ...reads } }),
  "routes/api.mail.recipients": json({ GET: { ...own, ...reads } }),
  "routes/api.mail.recipients.delete": json({ POST: { ...ownJson, ...change, ...send, ...audited("mail") } }),
  "routes/api.mail.refresh": json({ POST: { ...ownJson, ...reads, ...send, limits: LIST_JSON } }),
  "routes/api.openapi[.]json": json({ GET: open }),
  // Tests and live mail.
  "routes/api.pieces": json({
    GET: { ...own, ...reads },
    POST: { ...ownJson, ...send, scope: "by-request", limits: LARGE_JSON },
  }),
  "routes/api.pieces.$id": json({ GET: { ...own, ...reads } }),
  "routes/api.pieces.$id.pdf": json({ GET: { ...file, ...reads } }),
  "routes/api.pieces.$id.cancel": json({ POST: { ...own, ...change, ...send, ...audited("piece") } }),
  "routes/api.responses": json({
    GET: { ...search, ...reads },
    POST: { ...ownJson, ...tests, limits: LARGE_JSON },
  }),
  "routes/api.responses.$id": json({
    GET: { ...own, ...reads },
    DELETE: { ...own, ...change, ...audited("response") },
  }),
  "routes/api.responses.$id.cancel": json({ POST: { ...own, ...change, ...send, ...audited("piece") } }),
  "routes/api.responses.stats": json({ GET: { ...own, ...reads } }),
  // While a person types.
  "routes/api.search": json({ POST: { ...ownJson, ...reads, rate: "read" } }),
  // Reads, tests and live mail: which one it is stands in the request.
  "routes/api.stannp": json({ POST: { ...ownJson, ...send, scope: "by-request", limits: LARGE_JSON } }),
  "routes/api.stripe.create-checkout": json({ POST: { ...ownJson, ...money } }),
  "routes/api.users": json({ GET: { ...own, ...reads } }),
  "routes/api.webhooks.$id.replay": json({ POST: { ...ownJson, ...audited("webhook"), ...change } }),
  "routes/api.webhooks.deliveries": json({ GET: { ...own, ...reads } }),
  "routes/stored_.$id.saved": json({ GET: own }),

  // Webhooks. Trust comes from the signature over the body.
  "routes/api.stannp.webhook": json({
    POST: { caller: "provider-signature", body: "bytes", rate: "webhook", limits: PROVIDER_EVENT },
  }),
  "routes/api.stripe.webhook": json({
    POST: { caller: "stripe-signature", body: "bytes", rate: "webhook", limits: STRIPE_EVENT },
  }),

  // Sign-in, this browser's choices, and what watches the process.
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

/** Has the audit log record a method under this room. */
function audited(audit: AuditRoom) {
  return { audit } as const;
}

/** A refusal is plain text. */
function page(methods: RouteAccess["methods"]): RouteAccess {
  return { refusals: "text", methods };
}

/** A refusal is JSON. */
function json(methods: RouteAccess["methods"]): RouteAccess {
  return { refusals: "json", methods };
}
