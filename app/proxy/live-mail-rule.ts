import { isTestValue } from "~/outside/mail-provider/test-value";
import { MAIL_PATHS, type MailType } from "~/pieces/mail-type";
import type { Scope } from "~/platform/http/token-scopes";
import { decodePercent } from "~/platform/percent-encoding";

const TEST_IN_QUERY = "`test` counts in the body only; take it out of the query.";
const TEST_MISSPELT = "The body has `test` in another spelling; write it as `test`.";

/** The class of a call, for money and safety. Decided once, on the path that is sent. */
export type CallClass =
  | { kind: "mail"; mailType: MailType; path: string; test: boolean }
  | { kind: "sample"; path: string; test: true }
  | { kind: "cancel"; mailType: MailType; path: string }
  | { kind: "free"; path: string };

interface Refused {
  ok: false;
  forbidden: boolean;
  reason: string;
}

export type Classified = { ok: true; call: CallClass } | Refused;

interface Call {
  method: string;
  /** Normalised, relative to the base. */
  path: string;
  query: Readonly<Record<string, string>>;
  body: unknown;
}

const CANCEL = new Map<string, MailType>([
  ["letters/cancel", "letter"],
  ["postcards/cancel", "postcard"],
]);
/** A call that mails pieces without a price here: only tests are allowed. */
const SAMPLES = ["mailings/create"];
/** Calls that spend the provider account's money and that no preset offers. */
const SPENDING = [
  "accounts/topup",
  "account/topup",
  "sms/create",
  "letters/batch",
  "postcards/batch",
  "campaigns/book",
];
/** Calls that change nothing at the provider, though they are not GET. */
const READING = ["addresses/validate", "addresses/lookup", "test/address"];
const WATCHED = new Map(
  [...MAIL_PATHS.keys(), ...SAMPLES, ...CANCEL.keys(), ...SPENDING].map((path) => [
    squash(path.split("/")),
    path,
  ]),
);

/**
 * Classifies a call. Letters, postcards and cancels have one accepted spelling; other spellings of a watched call are
 * refused, and so are calls that spend money unless `allowedPaths` names them.
 */
export function classifyCall(call: Call, allowedPaths: readonly string[]): Classified {
  const plain = call.path.toLowerCase().replace(/\.json$/, "");
  const mailType = MAIL_PATHS.get(plain);
  const cancelled = CANCEL.get(plain);
  if (mailType) {
    const test = parseTest(call, plain);
    return test.ok ? { ok: true, call: { kind: "mail", mailType, path: plain, test: test.value } } : test;
  }
  if (cancelled) {
    if (call.method !== "POST") return refuseMethod(plain);
    return { ok: true, call: { kind: "cancel", mailType: cancelled, path: plain } };
  }
  if (allowedPaths.some((path) => plain === path.toLowerCase().replace(/^\/|\.json$/g, ""))) {
    return { ok: true, call: { kind: "free", path: plain } };
  }
  if (SAMPLES.includes(plain)) return classifySample(call, plain);
  const watched = findWatched(call.path);
  if (watched === null) return { ok: true, call: { kind: "free", path: call.path } };
  if (SPENDING.includes(watched)) {
    return {
      ok: false,
      forbidden: true,
      reason: formatSpendingRefused(watched),
    };
  }
  return {
    ok: false,
    forbidden: false,
    reason: formatOtherSpelling(watched),
  };
}

/** The scope that a call needs. One that changes something at the provider is as grave as live mail. */
export function findCallScope(call: CallClass, method: string): Scope {
  if (call.kind === "mail" || call.kind === "sample") return call.test ? "send:test" : "send:live";
  const isReading = method === "GET" || READING.includes(call.path.toLowerCase().replace(/\.json$/, ""));
  return call.kind === "free" && isReading ? "read" : "send:live";
}

function classifySample(call: Call, path: string): Classified {
  const test = parseTest(call, path);
  if (!test.ok) return test;
  if (test.value) return { ok: true, call: { kind: "sample", path, test: true } };
  return {
    ok: false,
    forbidden: true,
    reason: formatSampleOnly(path),
  };
}

/** Parses whether a call requests a test. Refuses spellings that the provider could read differently. */
function parseTest(call: Call, path: string): { ok: true; value: boolean } | Refused {
  if (call.method !== "POST") return refuseMethod(path);
  const { body } = call;
  if (body !== undefined && (typeof body !== "object" || body === null || Array.isArray(body))) {
    return { ok: false, forbidden: false, reason: formatBodyNotAnObject(path) };
  }
  const fields = body ?? {};
  if (Object.keys(call.query).some(isTestName)) {
    return {
      ok: false,
      forbidden: false,
      reason: TEST_IN_QUERY,
    };
  }
  if (Object.keys(fields).some((name) => name !== "test" && isTestName(name))) {
    return {
      ok: false,
      forbidden: false,
      reason: TEST_MISSPELT,
    };
  }
  const value = Object.hasOwn(fields, "test") && isTestValue((fields as { test?: unknown }).test);
  return { ok: true, value };
}

function refuseMethod(path: string): Refused {
  return { ok: false, forbidden: false, reason: formatPostOnly(path) };
}

/** The provider runs PHP, which reads `test[]` and ` test` as `test`. */
function isTestName(name: string): boolean {
  const stem = name.trimStart().split("[")[0] ?? "";
  return squashPart(stem) === "test" || squashPart(name) === "test";
}

/** The watched call that a less strict provider could see in this path. */
function findWatched(path: string): string | null {
  const parts = path.split("/").map((part) => squashPart(decodePercent(part) ?? part));
  const named = parts.filter((part) => part !== "");
  for (let at = 0; at + 1 < named.length; at++) {
    const watched = WATCHED.get(squash(named.slice(at, at + 2)));
    if (watched) return watched;
  }
  return null;
}

/** Singular and plural are one: the provider's own old client calls `letter/create`. */
function squash(parts: string[]): string {
  return parts.map((part, index) => (index === 0 ? part.replace(/s$/, "") : part)).join("/");
}

function squashPart(part: string): string {
  const plain = part.normalize("NFKC").toLowerCase().split(/[.;]/)[0] ?? "";
  return plain.replace(/[^a-z0-9]/g, "");
}

function formatSpendingRefused(path: string): string {
  return `${path} spends the provider account's money, so it is closed here. The server's operator can allow it in STANNP_ALLOW_PATHS.`;
}

function formatOtherSpelling(path: string): string {
  const withId = path.endsWith("cancel") ? " and the id in the body" : "";
  return `This is another spelling of ${path}; write the path as ${path}${withId}.`;
}

function formatSampleOnly(path: string): string {
  return `${path} has no price in credits, so only tests are allowed. Send mail with postcards/create or letters/create; the server's operator can allow this path in STANNP_ALLOW_PATHS.`;
}

function formatBodyNotAnObject(path: string): string {
  return `The body of ${path} must be an object of fields.`;
}

function formatPostOnly(path: string): string {
  return `${path} is called by POST only.`;
}
