import { isTestValue } from "~/outside/mail-provider/request-fields";
import { MAIL_PATHS, type MailType } from "~/pieces/mail-type";
import type { Scope } from "~/platform/http/token-scopes";
import { isRecord } from "~/platform/json-value";
import { type Failed, fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";
import { decodePercent } from "~/platform/percent";

/** Class of a call, for money and safety. Decided once, by the path that is sent. */
export type CallClass =
  | { kind: "mail"; mailType: MailType; path: string; test: boolean }
  | { kind: "sample"; path: string; test: true }
  | { kind: "cancel"; mailType: MailType; path: string }
  | { kind: "free"; path: string };

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
/** Calls that mail pieces without a price here, so that only tests are allowed. */
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
/** Calls that change nothing at the provider, although they are not GET. */
const READING = ["addresses/validate", "addresses/lookup", "test/address"];
const WATCHED = new Map(
  [...MAIL_PATHS.keys(), ...SAMPLES, ...CANCEL.keys(), ...SPENDING].map((path) => [
    squash(path.split("/")),
    path,
  ]),
);

/**
 * Classifies a call. Letters, postcards and cancels have one accepted spelling; other spellings of a watched call are
 * refused, and so are calls that spend money unless `allowedPaths` names them. Fails with `bad_input` or `forbidden`.
 */
export function classifyCall(call: Call, allowedPaths: readonly string[]): Outcome<CallClass> {
  const plain = call.path.toLowerCase().replace(/\.json$/, "");
  const mailType = MAIL_PATHS.get(plain);
  const cancelled = CANCEL.get(plain);
  if (mailType) {
    const test = parseTest(call, plain);
    return test.ok ? succeed({ kind: "mail", mailType, path: plain, test: test.value }) : test;
  }
  if (cancelled) {
    if (call.method !== "POST") return refuseMethod(plain);
    return succeed({ kind: "cancel", mailType: cancelled, path: plain });
  }
  if (allowedPaths.some((path) => plain === path.toLowerCase().replace(/^\/|\.json$/g, ""))) {
    return succeed({ kind: "free", path: plain });
  }
  if (SAMPLES.includes(plain)) return classifySample(call, plain);
  const watched = findWatched(call.path);
  if (watched === null) return succeed({ kind: "free", path: call.path });
  if (SPENDING.includes(watched)) {
    return forbid(
      `${watched} spends the provider account's money, so it is closed here. The server's operator can allow it in STANNP_ALLOW_PATHS.`,
    );
  }
  const withId = watched.endsWith("cancel") ? " and the id in the body" : "";
  return refuse(`This is another spelling of ${watched}; write the path as ${watched}${withId}.`);
}

/** Finds the scope that a call needs. A call that changes data at the provider needs the scope of live mail. */
export function findCallScope(call: CallClass, method: string): Scope {
  if (call.kind === "mail" || call.kind === "sample") return call.test ? "send:test" : "send:live";
  const isReading = method === "GET" || READING.includes(call.path.toLowerCase().replace(/\.json$/, ""));
  return call.kind === "free" && isReading ? "read" : "send:live";
}

function classifySample(call: Call, path: string): Outcome<CallClass> {
  const test = parseTest(call, path);
  if (!test.ok) return test;
  if (test.value) return succeed({ kind: "sample", path, test: true });
  return forbid(
    `${path} has no price in credits, so only tests are allowed. Send mail with postcards/create or letters/create; the server's operator can allow this path in STANNP_ALLOW_PATHS.`,
  );
}

/** Parses `test`, true for a test. Refuses spellings that the provider could read differently. */
function parseTest(call: Call, path: string): Outcome<boolean> {
  if (call.method !== "POST") return refuseMethod(path);
  const { body: fields = {} } = call;
  if (!isRecord(fields)) return refuse(`The body of ${path} must be an object of fields.`);
  if (Object.keys(call.query).some(isTestName)) {
    return refuse("`test` counts in the body only; take it out of the query.");
  }
  if (Object.keys(fields).some((name) => name !== "test" && isTestName(name))) {
    return refuse("The body has `test` in another spelling; write it as `test`.");
  }
  return succeed(Object.hasOwn(fields, "test") && isTestValue(fields.test));
}

function refuseMethod(path: string): Failed {
  return refuse(`${path} is called by POST only.`);
}

function refuse(reason: string): Failed {
  return fail("bad_input", `${reason} ${NOTHING_DONE}`);
}

function forbid(reason: string): Failed {
  return fail("forbidden", `${reason} ${NOTHING_DONE}`);
}

/** The provider runs PHP, which reads `test[]` and ` test` as `test`. */
function isTestName(name: string): boolean {
  const stem = name.trimStart().split("[")[0] ?? "";
  return squashPart(stem) === "test" || squashPart(name) === "test";
}

/** Finds the watched call that a less strict provider could read in this path. */
function findWatched(path: string): string | null {
  const parts = path.split("/").map((part) => squashPart(decodePercent(part) ?? part));
  const named = parts.filter((part) => part !== "");
  for (let at = 0; at + 1 < named.length; at++) {
    const watched = WATCHED.get(squash(named.slice(at, at + 2)));
    if (watched) return watched;
  }
  return null;
}

/** Ignores a plural `s`, because the provider's old client calls `letter/create`. */
function squash(parts: string[]): string {
  return parts.map((part, index) => (index === 0 ? part.replace(/s$/, "") : part)).join("/");
}

function squashPart(part: string): string {
  const plain = part.normalize("NFKC").toLowerCase().split(/[.;]/)[0] ?? "";
  return plain.replace(/[^a-z0-9]/g, "");
}
