import naughtyStrings from "big-list-of-naughty-strings/blns.json";
import { ACCESS } from "~/access.server";
import type { RouteAccess } from "~/platform/http/gate.server";
import { findRouteAddresses } from "../console/route-addresses";
import { listHostileBases } from "../hostile-addresses";
import type { Random } from "../random";

/** One request as nobody should send it. */
export interface HostileCase {
  route: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | null;
  /** Whether the route may answer that somebody else did not answer. */
  callsOut: boolean;
}

const MAX_QUERY_CHARS = 6_000;
const NAMES =
  "intent user_id userId amount item id ids type recipient from to q tab view cursor reason description path method body query baseUrl base_url headers file front back message test size template username displayName returnTo code state iss error a b left right sort page known_duplicate expect_live idempotency_key tested_piece_id addressCheck credits".split(
    " ",
  );
const INTENTS =
  "add deduct create_user purchase send test preview refresh cancel delete delete_recipient decide save clear".split(
    " ",
  );
const ENDPOINTS = [
  "letters/create",
  "postcards/create",
  "letters/cancel",
  "recipients/list",
  "accounts/balance",
  "files/upload",
];

const STRINGS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\uD800",
  "\uDFFF x",
  "\uFEFF",
  "\u200B".repeat(300),
  "e\u0301\u0302\u0303".repeat(200),
  "\u202Eevil\u202C",
  "👩‍👩‍👧‍👦".repeat(50),
  "ﷺ".repeat(100),
  "-1",
  "0",
  "-0",
  "1e309",
  "NaN",
  "9007199254740993",
  "2147483648",
  "0x10",
  "٣",
  "null",
  "undefined",
  "true",
  "[]",
  "{}",
  '{"$ne":null}',
  "__proto__",
  "constructor.prototype.x",
  "a[4294967294]",
  "a[30000000].b",
  "__state__",
  "toString",
  "' OR 1=1 --",
  "'; DROP TABLE users; --",
  "%",
  "%00",
  "%zz",
  "%c0%ae%c0%ae/",
  "../../../../etc/passwd",
  "..\\..\\windows",
  "//evil.example",
  "\\\\evil.example",
  "javascript:alert(1)",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "{{7*7}}",
  "{firstname}{lastname}",
  "$" + "{7*7}",
  "=1+1",
  "\r\nSet-Cookie: a=b",
  "2026-02-30",
  "9999-12-31T23:59:60Z",
  "-271821-04-20",
  "0000-00-00",
  "a".repeat(5_000),
  "(".repeat(2_000),
  '{"a":'.repeat(200),
  "&".repeat(800),
  "auth-",
  "auth-hostile",
  "user-00000000-0000-0000-0000-000000000000",
  "data:application/pdf;base64,JVBERi0=",
  "data:image/png;base64,iVBORw0KGgo=",
];

/** Ours and a public list, half and half. */
const LISTS: readonly (readonly string[])[] = [STRINGS, naughtyStrings];

/** The beginnings of files that are taken apart by us or by the provider. */
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

/** Requests over all routes, without end; the same ones for the same random numbers. */
export class HostileCases {
  readonly #pick: <T>(values: readonly T[]) => T;
  readonly #rows: { route: string; address: string; method: string; kind: string; callsOut: boolean }[];

  /** @param decoy an address with a listener that nothing of ours may call, and the allowed base */
  constructor(
    readonly random: Random,
    readonly decoy: { host: string; base: string },
  ) {
    this.#pick = (values) => values[Math.floor(random() * values.length)] as (typeof values)[number];
    const addresses = findRouteAddresses();
    this.#rows = Object.entries<RouteAccess>(ACCESS).flatMap(([route, { methods }]) =>
      Object.entries(methods).map(([method, { body, rate }]) => ({
        route,
        address: addresses[route] ?? "/",
        method,
        kind: body,
        callsOut: rate === "send" || rate === "export" || rate === "sign-in",
      })),
    );
  }

  next(): HostileCase {
    const { route, address, method, kind, callsOut } = this.#pick(this.#rows);
    const path = address
      .replace(/:\w+/g, () => encodeURIComponent(toWellFormed(this.#string().slice(0, 500))) || "none")
      .replace("*", () => encodeURIComponent(toWellFormed(this.#string().slice(0, 500))));
    const data = this.random() < 0.2 && path !== "/" ? ".data" : "";
    // Node answers a longer head with 431 before it is sent whole, which a client may take for a lost connection.
    const query =
      this.random() < 0.6 ? `?${this.#fields()}`.slice(0, MAX_QUERY_CHARS).replace(/%.?$/, "") : "";
    const { headers, body } = this.#body(kind, route);
    return {
      route,
      method,
      path: path + data + query,
      headers: { ...headers, ...this.#headers() },
      body,
      callsOut,
    };
  }

  #string(): string {
    const text = this.#pick(this.#pick(LISTS));
    return this.random() < 0.2 ? text + this.#pick(STRINGS) : text;
  }

  #name(): string {
    return this.random() < 0.8 ? this.#pick(NAMES) : this.#string().slice(0, 200);
  }

  #fields(): URLSearchParams {
    const fields = new URLSearchParams();
    if (this.random() < 0.6) fields.append("intent", this.#pick(INTENTS));
    for (let left = this.random() * 8; left > 0; left--) fields.append(this.#name(), this.#string());
    return fields;
  }

  #value(depth: number): unknown {
    const kind = this.random();
    if (kind < 0.5 || depth > 4) return toWellFormed(this.#string());
    if (kind < 0.6) return this.#pick([null, true, false, -1, 1e308, 2 ** 53, 0.1]);
    if (kind < 0.75) return Array.from({ length: this.random() * 5 }, () => this.#value(depth + 1));
    return Object.fromEntries(
      Array.from({ length: this.random() * 5 }, () => [this.#name(), this.#value(depth + 1)]),
    );
  }

  #body(kind: string, route: string): Pick<HostileCase, "headers" | "body"> {
    if (kind === "none") return { headers: {}, body: null };
    if (kind === "form") return this.random() < 0.5 ? this.#multipart() : this.#form();
    const json = JSON.stringify(route === "routes/api.stannp" ? this.#send() : this.#value(0));
    const broken = this.random() < 0.1 ? json.slice(0, json.length * this.random()) : json;
    return { headers: { "Content-Type": "application/json" }, body: broken };
  }

  #form(): Pick<HostileCase, "headers" | "body"> {
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    return {
      headers: type,
      body: this.random() < 0.1 ? toWellFormed(this.#string()) : String(this.#fields()),
    };
  }

  #multipart(): Pick<HostileCase, "headers" | "body"> {
    const parts = [...this.#fields()].map(
      ([name, value]) =>
        `--x\r\nContent-Disposition: form-data; name="${name.replaceAll('"', "%22")}"\r\n\r\n${value}\r\n`,
    );
    parts.push(
      `--x\r\nContent-Disposition: form-data; name="${this.#pick(NAMES)}"; filename="${this.#string().slice(0, 99)}"\r\nContent-Type: ${this.#pick(["application/pdf", "image/png", "x"])}\r\n\r\n${this.#file()}\r\n`,
    );
    const end = this.random() < 0.9 ? "--x--\r\n" : "";
    return {
      headers: { "Content-Type": "multipart/form-data; boundary=x" },
      body: new Uint8Array(Buffer.from(parts.join("") + end, "latin1")),
    };
  }

  /** A call of the proxy: nearly right, and somewhere wrong. */
  #send(): unknown {
    const hostile = listHostileBases(this.decoy.host, "/v1", "http", this.decoy.host);
    const file = Buffer.from(this.#file(), "latin1").toString("base64");
    return {
      method: this.#pick(["POST", "GET", "PUT", "TRACE"]),
      path: this.random() < 0.8 ? this.#pick(ENDPOINTS) : toWellFormed(this.#string()),
      baseUrl: this.random() < 0.3 ? this.#pick(hostile) : this.decoy.base,
      body: {
        test: true,
        size: "A4",
        file,
        recipient: this.#value(2),
        [toWellFormed(this.#name())]: this.#value(1),
      },
      query: this.random() < 0.3 ? this.#value(1) : {},
      headers: this.random() < 0.3 ? this.#value(1) : {},
    };
  }

  /** A file with some of its bytes changed. */
  #file(): string {
    const bytes = [...this.#pick(FILES)];
    for (let left = this.random() * 6; left > 0; left--) {
      bytes[Math.floor(this.random() * bytes.length)] = String.fromCharCode(this.random() * 256);
    }
    return bytes.join("") + "\u0000".repeat(this.random() < 0.1 ? 100_000 : 0);
  }

  #headers(): Record<string, string> {
    if (this.random() < 0.7) return {};
    const safe = this.#string()
      .replace(/[^\x20-\x7e]/g, "")
      .slice(0, 500);
    const name = this.#pick([
      "Accept",
      "Range",
      "X-Forwarded-For",
      "Accept-Language",
      "If-None-Match",
      "Referer",
      "X-Request-Id",
      "Content-Type",
      "User-Agent",
    ]);
    return { [name]: safe };
  }
}

/** Half a character cannot be written in an address or in UTF-8. */
function toWellFormed(text: string): string {
  return Buffer.from(text).toString();
}
