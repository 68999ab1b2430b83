import naughtyStrings from "big-list-of-naughty-strings/blns.json";
import fc, { type Arbitrary } from "fast-check";
import { ACCESS } from "~/access.server";
import type { RouteAccess } from "~/platform/http/gate.server";
import { findRouteAddresses } from "../console/route-addresses";
import { listHostileBases } from "../hostile-addresses";

/** One request that no client should send. */
export interface HostileCase {
  route: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | null;
  isSignedIn: boolean;
  /** True when the route may answer that another server did not answer. */
  callsOut: boolean;
}

type Pairs = [name: string, value: string][];
type Body = Pick<HostileCase, "headers" | "body">;

const MAX_QUERY_CHARS = 6_000;
const NAMES =
  "intent user_id userId amount item id ids type recipient from to q tab view cursor reason description path method body query baseUrl base_url headers file front back message test size template username displayName returnTo code state iss error a b left right sort page known_duplicate expect_live idempotency_key tested_piece_id addressCheck credits";
const INTENTS =
  "add deduct create_user purchase send test preview refresh cancel delete delete_recipient decide save clear";
const ENDPOINTS =
  "letters/create postcards/create letters/cancel recipients/list accounts/balance files/upload";
const HEADERS =
  "Accept Range X-Forwarded-For Accept-Language If-None-Match Referer X-Request-Id Content-Type User-Agent";
const WORDS = String.raw`-1 0 -0 1e309 NaN 9007199254740993 2147483648 0x10 ٣ null undefined true [] {} {"$ne":null}
  __proto__ constructor.prototype.x a[4294967294] a[30000000].b __state__ toString % %00 %zz %c0%ae%c0%ae/
  ../../../../etc/passwd ..\..\windows //evil.example \\evil.example javascript:alert(1) <script>alert(1)</script>
  {{7*7}} {firstname}{lastname} $\{7*7} =1+1 2026-02-30 9999-12-31T23:59:60Z -271821-04-20 0000-00-00 auth- auth-hostile
  user-00000000-0000-0000-0000-000000000000 data:application/pdf;base64,JVBERi0= data:image/png;base64,iVBORw0KGgo=`;
const STRINGS = [
  ...WORDS.split(/\s+/),
  ...[
    "",
    " ",
    "\u0000",
    "a\u0000b",
    "\uD800",
    "\uDFFF x",
    "\uFEFF",
    "\u202Eevil\u202C",
    "\r\nSet-Cookie: a=b",
  ],
  ...["' OR 1=1 --", "'; DROP TABLE users; --", '"><img src=x onerror=alert(1)>'],
  ...["\u200B".repeat(300), "e\u0301\u0302\u0303".repeat(200), "👩‍👩‍👧‍👦".repeat(50), "ﷺ".repeat(100)],
  ...["a".repeat(5_000), "(".repeat(2_000), '{"a":'.repeat(200), "&".repeat(800)],
];
/** The beginnings of files that the console or the provider parses. */
const FILES = [
  "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[2 0 R]/Count 99999>>endobj trailer<</Root 1 0 R>>",
  `%PDF-1.4\n${"[".repeat(3_000)}`,
  "%PDF-1.4\n1 0 obj<</Length 999999999/Filter/FlateDecode>>stream\nx\nendstream",
  "\u0089PNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u0008\u0006\u0000\u0000\u0000",
  "\u00ff\u00d8\u00ff\u00e0\u0000\u0010JFIF\u0000\u0001\u00ff\u00c0\u0000\u0011\u0008\u00ff\u00ff\u00ff\u00ff",
  "GIF89a\u00ff\u00ff\u00ff\u00ff",
  "PK\u0003\u0004",
  "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
];

const oneOf = (words: string) => fc.constantFrom(...words.split(" "));
const maybe = <T>(percent: number, value: Arbitrary<T>, otherwise: T) =>
  fc.oneof(
    { weight: percent, arbitrary: value },
    { weight: 100 - percent, arbitrary: fc.constant(otherwise) },
  );

const string = fc
  .tuple(
    fc.oneof(fc.constantFrom(...STRINGS), fc.constantFrom(...naughtyStrings), fc.string({ unit: "binary" })),
    maybe(20, fc.constantFrom(...STRINGS), ""),
  )
  .map((parts) => parts.join(""));
/** A lone surrogate cannot be written in an address or in UTF-8. */
const text = string.map(toWellFormed);
const name = fc.oneof(
  { weight: 4, arbitrary: oneOf(NAMES) },
  { weight: 1, arbitrary: text.map((long) => long.slice(0, 200)) },
);
const fields = fc
  .tuple(maybe(60, oneOf(INTENTS), ""), fc.array(fc.tuple(name, string), { maxLength: 8 }))
  .map(([intent, rest]): Pairs => (intent ? [["intent", intent], ...rest] : rest));
const anything = fc.anything({
  key: name,
  values: [text, fc.constantFrom(null, true, false, -1, 1e308, 2 ** 53, 0.1)],
  maxDepth: 4,
});
/** A file with some changed bytes or a long tail. */
const file = fc
  .tuple(
    fc.constantFrom(...FILES),
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
    maybe(10, fc.constant("\u0000".repeat(100_000)), ""),
  )
  .map(([start, changes, tail]) => {
    const bytes = Buffer.from(start, "latin1");
    for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
    return bytes.toString("latin1") + tail;
  });

const form: Arbitrary<Body> = fc.tuple(fields, maybe(10, text, "")).map(([pairs, raw]) => ({
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
  body: raw || String(new URLSearchParams(pairs)),
}));
const multipart: Arbitrary<Body> = fc
  .record({
    fields,
    name,
    file,
    filename: string,
    type: oneOf("application/pdf image/png x"),
    end: maybe(90, fc.constant("--x--\r\n"), ""),
  })
  .map(({ fields: pairs, name: field, file: bytes, filename, type, end }) => {
    const start = "--x\r\nContent-Disposition: form-data; name=";
    const parts = pairs.map(([key, value]) => `${start}"${key.replaceAll('"', "%22")}"\r\n\r\n${value}\r\n`);
    const upload = `${start}"${field}"; filename="${filename.slice(0, 99)}"\r\nContent-Type: ${type}\r\n\r\n${bytes}\r\n`;
    return {
      headers: { "Content-Type": "multipart/form-data; boundary=x" },
      body: new Uint8Array(Buffer.from(parts.join("") + upload + end, "latin1")),
    };
  });
const toJson = (value: Arbitrary<unknown>): Arbitrary<Body> =>
  fc.tuple(value, maybe(10, fc.double({ min: 0, max: 1, noNaN: true }), 1)).map(([json, share]) => {
    const whole = JSON.stringify(json) ?? "";
    return { headers: { "Content-Type": "application/json" }, body: whole.slice(0, whole.length * share) };
  });

/** A proxy call that is almost valid. */
function proxyCall({ host, base }: Decoy): Arbitrary<unknown> {
  const hostile = fc.constantFrom(...listHostileBases(host, "/v1", "http", host));
  const body = fc.tuple(file, anything, name, anything).map(([bytes, recipient, field, value]) => ({
    ...{ test: true, size: "A4", file: Buffer.from(bytes, "latin1").toString("base64"), recipient },
    [field]: value,
  }));
  return fc.record({
    method: oneOf("POST GET PUT TRACE"),
    path: fc.oneof({ weight: 4, arbitrary: oneOf(ENDPOINTS) }, { weight: 1, arbitrary: text }),
    baseUrl: maybe(30, hostile, base),
    body,
    query: maybe<unknown>(30, anything, {}),
    headers: maybe<unknown>(30, anything, {}),
  });
}

/** An address with a listener that the console must not call, and the allowed base. */
interface Decoy {
  host: string;
  base: string;
}

/**
 * Generates hostile requests, the same for the same seed. Each round has one for every method of every route in the
 * access table.
 */
export function* makeCases(seed: number, decoy: Decoy): Generator<HostileCase> {
  const addresses = findRouteAddresses();
  const proxy = toJson(proxyCall(decoy));
  const rows = Object.entries<RouteAccess>(ACCESS).flatMap(([route, { methods }]) =>
    Object.entries(methods).map(([method, { body, rate }]): Arbitrary<HostileCase> => {
      const bodies: Record<string, Arbitrary<Body>> = {
        none: fc.constant({ headers: {}, body: null }),
        form: fc.oneof(form, multipart),
      };
      const json = route === "routes/api.stannp" ? proxy : toJson(anything);
      return fc
        .record({
          parameters: fc.array(text, { minLength: 4, maxLength: 4 }),
          data: maybe(20, fc.constant(".data"), ""),
          query: maybe<Pairs>(60, fields, []),
          sent: bodies[body] ?? json,
          header: maybe<[string, string]>(30, fc.tuple(oneOf(HEADERS), string), ["", ""]),
          isSignedIn: maybe(60, fc.constant(true), false),
        })
        .map(({ parameters, data, query, sent, header: [header, value], isSignedIn }) => ({
          ...{ route, method, isSignedIn, body: sent.body },
          path: makePath(addresses[route] ?? "/", parameters, data) + makeQuery(query),
          headers: {
            ...sent.headers,
            ...(header ? { [header]: value.replace(/[^\x20-\x7e]/g, "").slice(0, 500) } : {}),
          },
          callsOut: rate === "send" || rate === "export" || rate === "sign-in",
        }));
    }),
  );
  for (let round = 0; ; round++)
    yield* fc.sample(fc.tuple(...rows), { seed: seed + round, numRuns: 1 })[0] ?? [];
}

function makePath(address: string, parameters: readonly string[], data: string): string {
  let used = 0;
  const path = address.replace(
    /:\w+|\*/g,
    () => encodeURIComponent(toWellFormed((parameters[used++] ?? "").slice(0, 500))) || "none",
  );
  return path === "/" ? path : path + data;
}

/**
 * Node answers a longer head with 431 before it is sent completely, which a client may take for a lost connection.
 */
function makeQuery(pairs: Pairs): string {
  return pairs.length === 0
    ? ""
    : `?${new URLSearchParams(pairs)}`.slice(0, MAX_QUERY_CHARS).replace(/%.?$/, "");
}

function toWellFormed(value: string): string {
  return Buffer.from(value).toString();
}
