import { buffer } from "node:stream/consumers";
import PDFDocument from "pdfkit";
import { request } from "undici";
import type { BaseUrl } from "~/platform/env-values.server";
import { isRecord, parseJson, parseRecord } from "~/platform/json-value";
import { DAY_MS, formatIsoDay } from "~/platform/time";
import { buildUrl } from "./call/address.server";
import { callProvider } from "./call/client.server";
import { formatNoAnswer } from "./call/no-answer";
import { encodeWireBody, FORM_TYPE } from "./call/wire.server";
import { findHome } from "./home-country";
import { fetchProviderPdf, findPdfAddress } from "./provider-pdf.server";

/** One call of `npm run verify-provider`. No kind can mail, because a sample's `test` is set when it is sent. */
type Probe =
  | { kind: "read"; path: string; query?: Record<string, string>; id?: string }
  /** A letter or postcard, sent as a test. */
  | {
      kind: "sample";
      type: "letter" | "postcard";
      fields: Record<string, unknown>;
      form?: true;
      key?: string;
    }
  /** Cancels an ID that no piece has. */
  | { kind: "cancel" }
  /** Reads the account with another key, or without one. */
  | { kind: "stranger"; key: string | null }
  /** 24 MB to a path that does not exist. */
  | { kind: "large" }
  | { kind: "pdf"; address: string };

/** A masked answer of the provider. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The parsed JSON; undefined when it is not JSON. */
  body: unknown;
  durationMs: number;
  /** Time of its arrival. */
  at: number;
  /** ID of the requested piece. */
  id?: string;
}

export type Answers = Record<ProbeName, Answer>;

interface Context {
  home: "US" | "GB";
  artwork: { card: string; page: string };
  /** A random idempotency key. */
  key: string;
  answers: { sample?: Answer; list?: Answer };
}

const NO_PIECE = "999999999999";
const NO_PATH = "mailroom/no-such-path";
const LARGE_BYTES = 24 * 1024 * 1024;
const WRONG_KEY = "mailroom-wrong-key";
/** Public buildings, which any address check knows. Sizes in points: a card with its bleed, and a page. */
const HOMES = {
  US: {
    address: { address1: "350 5th Ave", city: "New York", county: "NY", postcode: "10118", country: "US" },
    card: { size: "4x6", points: [449, 305] },
    page: { size: "US-LETTER", points: [612, 792] },
  },
  GB: {
    address: { address1: "10 Downing Street", city: "London", postcode: "SW1A 2AA", country: "GB" },
    card: { size: "A6", points: [437, 315] },
    page: { size: "A4", points: [595, 842] },
  },
} as const;

/** Every call by name, in order; null when earlier answers name nothing to request. */
export const PROBES = {
  account: () => read("users/me"),
  balance: () => read("accounts/balance"),
  noKey: () => ({ kind: "stranger", key: null }),
  wrongKey: () => ({ kind: "stranger", key: WRONG_KEY }),
  unknownPath: () => read(NO_PATH),
  unknownPiece: () => read(`postcards/get/${NO_PIECE}`),
  unknownCancel: () => ({ kind: "cancel" }),
  sample: (context) => card(context, { key: context.key }),
  replay: (context) => card(context, { key: context.key }),
  usedKey: (context) => card(context, { key: context.key, fields: { message: "Another message" } }),
  sampleForm: (context) => card(context, { form: true }),
  unknownField: (context) => card(context, { fields: { mailroom_unknown_field: "1" } }),
  noRecipient: (context) => card(context, { fields: { recipient: undefined } }),
  sampleLetter: ({ home, artwork }) => {
    const { address, page } = HOMES[home];
    const fields = { size: page.size, recipient: name(address), file: artwork.page };
    return { kind: "sample", type: "letter", fields };
  },
  samplePdf: ({ answers }) => {
    const { pdf } = parseRecord(parseRecord(answers.sample?.body).data);
    return typeof pdf === "string" ? { kind: "pdf", address: pdf } : null;
  },
  list: () => read(reportPath(), { offset: "0", limit: "200" }),
  listNext: () => read(reportPath(), { offset: "1", limit: "200" }),
  listEnd: () => read(reportPath(), { offset: "1000000", limit: "200" }),
  piece: ({ answers }) => {
    const [{ id, type }] = [(answers.list && listOf(answers.list)?.[0]) ?? {}];
    const known = type === "letter" || type === "postcard" ? type : null;
    const path = /^\d+$/.test(String(id)) && known ? `${known}s/get/${id}` : null;
    return path === null ? null : { ...read(path), id: String(id) };
  },
  groups: () => read("groups/list", { offset: "0", limit: "1" }),
  recipients: () => read("recipients/list", { offset: "0", limit: "1" }),
  balanceAfter: () => read("accounts/balance"),
  large: () => ({ kind: "large" }),
} satisfies Record<string, (context: Context) => Probe | null>;

export type ProbeName = keyof typeof PROBES;

/** Draws blank artwork of the sizes that an account's country prints, as base64. */
export async function drawArtwork(base: BaseUrl): Promise<Context["artwork"]> {
  const { card, page } = HOMES[findHome(base)];
  const draw = async ([width, height]: readonly [number, number]) => {
    const document = new PDFDocument({ size: [width, height], margin: 40 });
    document.text("Mailroom test").end();
    return (await buffer(document)).toString("base64");
  };
  return { card: await draw(card.points), page: await draw(page.points) };
}

/** Makes one call. Returns its answer, or a sentence without one. */
export async function askProbe(base: BaseUrl, probe: Probe, timeoutMs: number): Promise<Answer | string> {
  if (probe.kind === "stranger") return askAsStranger(base, probe.key, timeoutMs);
  if (probe.kind === "pdf") {
    const address = findPdfAddress(probe.address);
    const fetched = address && (await fetchProviderPdf(address));
    return { status: fetched?.ok ? 200 : 0, ...NOTHING, durationMs: 0, at: Date.now() };
  }
  const { path, query = {}, contentType, body, key } = toWire(probe);
  const url = buildUrl(base, path, query);
  if (!url.ok) return url.failure.message;
  const headers: Record<string, string> = {
    ...(contentType === undefined ? {} : { "content-type": contentType }),
    ...(key === undefined ? {} : { "x-idempotency-key": key }),
  };
  const method = probe.kind === "read" ? "GET" : "POST";
  const result = await callProvider({ method, url: url.value, headers, body, timeoutMs });
  if (result.kind !== "answered") return formatNoAnswer(result, timeoutMs);
  const id = probe.kind === "read" ? probe.id : undefined;
  return { ...result, body: parseJson(result.text), at: Date.now(), ...(id === undefined ? {} : { id }) };
}

/** Returns the rows of a list, with or without an envelope; null when it is no list. */
export function listOf({ status, body }: Answer): Record<string, unknown>[] | null {
  const data = Array.isArray(body) ? body : parseRecord(body).data;
  const rows = Array.isArray(data) ? data : parseRecord(data).singles;
  return status === 200 && Array.isArray(rows) ? rows.filter(isRecord) : null;
}

const NOTHING = { headers: {}, text: "", body: undefined };

function toWire(probe: Exclude<Probe, { kind: "stranger" | "pdf" }>): {
  path: string;
  query?: Record<string, string>;
  contentType?: string;
  body: string | null;
  key?: string;
} {
  switch (probe.kind) {
    case "read":
      return { path: probe.path, query: probe.query, body: null };
    case "cancel":
      return { path: "postcards/cancel", contentType: FORM_TYPE, body: `id=${NO_PIECE}` };
    case "large":
      return { path: NO_PATH, contentType: FORM_TYPE, body: `text=${"a".repeat(LARGE_BYTES)}` };
    case "sample": {
      const contentType = probe.form ? FORM_TYPE : "application/json";
      const marks = probe.key === undefined ? {} : { idempotency_key: probe.key };
      // `test` is last, so that no field of a probe can make it real mail.
      const body = encodeWireBody({ ...probe.fields, ...marks, test: true }, contentType);
      return { path: `${probe.type}s/create`, contentType, body, key: probe.key };
    }
  }
}

async function askAsStranger(base: BaseUrl, key: string | null, timeoutMs: number): Promise<Answer | string> {
  const url = buildUrl(base, "users/me", {});
  if (!url.ok) return url.failure.message;
  const authorization = `Basic ${Buffer.from(`${key}:`).toString("base64")}`;
  try {
    const { statusCode, body } = await request(url.value, {
      headers: { accept: "application/json", ...(key === null ? {} : { authorization }) },
      signal: AbortSignal.timeout(timeoutMs),
    });
    await body.dump();
    return { status: statusCode, ...NOTHING, durationMs: 0, at: Date.now() };
  } catch {
    return "The provider did not answer a call with another key.";
  }
}

function read(path: string, query: Record<string, string> = {}): Probe & { kind: "read" } {
  return { kind: "read", path, query };
}

function card(
  { home, artwork }: Context,
  { fields = {}, ...more }: { fields?: Record<string, unknown>; form?: true; key?: string },
): Probe {
  const { address, card } = HOMES[home];
  const common = { size: card.size, recipient: name(address), front: artwork.card, message: "Mailroom test" };
  return { kind: "sample", type: "postcard", fields: { ...common, ...fields }, ...more };
}

function name(address: Record<string, string>): Record<string, string> {
  return { firstname: "Mailroom", lastname: "Test", ...address };
}

function reportPath(): string {
  const now = Date.now();
  return `reporting/list/${formatIsoDay(now - 30 * DAY_MS)}/${formatIsoDay(now)}/all`;
}
