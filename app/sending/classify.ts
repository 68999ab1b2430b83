import type { MailType } from "~/pieces/mail-type";
import { decodePercent } from "~/platform/percent-encoding";

/**
 * What a call is, for money and for safety (money.md §2, security.md rows 6 and 7). Decided on the path that
 * is sent, and once.
 */
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

const MAIL = new Map<string, MailType>([
  ["letters/create", "letter"],
  ["letters/post", "letter"],
  ["postcards/create", "postcard"],
]);
const CANCEL = new Map<string, MailType>([
  ["letters/cancel", "letter"],
  ["postcards/cancel", "postcard"],
]);
/** A call that mails what has no price here (spec §9): open for tests alone. */
const SAMPLES = ["mailings/create"];
/** Calls that spend the provider account's money and are no preset. */
const SPENDING = [
  "accounts/topup",
  "account/topup",
  "sms/create",
  "letters/batch",
  "postcards/batch",
  "campaigns/book",
];
const WATCHED = new Map(
  [...MAIL.keys(), ...SAMPLES, ...CANCEL.keys(), ...SPENDING].map((path) => [squash(path.split("/")), path]),
);
const AFFIRMATIVE = new Set(["true", "1", "yes", "on"]);

/**
 * Letters, postcards and cancels by their one spelling; other spellings of a watched call, and calls that
 * spend money unless `allowedPaths` names them, are refused.
 */
export function classifyCall(call: Call, allowedPaths: readonly string[]): Classified {
  const plain = call.path.toLowerCase().replace(/\.json$/, "");
  const mailType = MAIL.get(plain);
  const cancelled = CANCEL.get(plain);
  if (mailType) {
    const test = readTest(call, plain);
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
      reason: `${watched} spends the provider account's money and is not open here; whoever runs this server can name it in STANNP_ALLOW_PATHS.`,
    };
  }
  return {
    ok: false,
    forbidden: false,
    reason: `This is another spelling of ${watched}; write the path as ${watched}${watched.endsWith("cancel") ? " and the id in the body" : ""}.`,
  };
}

/**
 * Whether a `test` value means a test: true, 1, "true", "1", "yes", "on". Everything else is live.
 */
export function isTestValue(value: unknown): boolean {
  if (typeof value === "string") return AFFIRMATIVE.has(value.trim().toLowerCase());
  return value === true || value === 1;
}

function classifySample(call: Call, path: string): Classified {
  const test = readTest(call, path);
  if (!test.ok) return test;
  if (test.value) return { ok: true, call: { kind: "sample", path, test: true } };
  return {
    ok: false,
    forbidden: true,
    reason: `${path} has no price in credits, so it is open as a test only. Mail by postcards/create or letters/create; whoever runs this server can name it in STANNP_ALLOW_PATHS.`,
  };
}

/** Whether a call that mails asks for a test; refused where the provider could read it otherwise. */
function readTest(call: Call, path: string): { ok: true; value: boolean } | Refused {
  if (call.method !== "POST") return refuseMethod(path);
  const { body } = call;
  if (body !== undefined && (typeof body !== "object" || body === null || Array.isArray(body))) {
    return { ok: false, forbidden: false, reason: `The body of ${path} must be an object of fields.` };
  }
  const fields = body ?? {};
  if (Object.keys(call.query).some(isTestName)) {
    return {
      ok: false,
      forbidden: false,
      reason: "`test` counts in the body only; take it out of the query.",
    };
  }
  if (Object.keys(fields).some((name) => name !== "test" && isTestName(name))) {
    return {
      ok: false,
      forbidden: false,
      reason: "The body has `test` in another spelling; write it as `test`.",
    };
  }
  const value = Object.hasOwn(fields, "test") && isTestValue((fields as { test?: unknown }).test);
  return { ok: true, value };
}

function refuseMethod(path: string): Refused {
  return { ok: false, forbidden: false, reason: `${path} is called by POST only.` };
}

/** PHP cuts a field's name at its first bracket and mends dots and spaces: `test[]`, ` test`, `Test`. */
function isTestName(name: string): boolean {
  const stem = name.trimStart().split("[")[0] ?? "";
  return squashPart(stem) === "test" || squashPart(name) === "test";
}

/** The watched call that a provider less strict than we are could read in this path. */
function findWatched(path: string): string | null {
  const parts = path.split("/").map((part) => squashPart(decodePercent(part) ?? part));
  const spoken = parts.filter((part) => part !== "");
  for (let at = 0; at + 1 < spoken.length; at++) {
    const watched = WATCHED.get(squash(spoken.slice(at, at + 2)));
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
