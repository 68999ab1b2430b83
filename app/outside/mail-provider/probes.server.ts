import { buffer } from "node:stream/consumers";
import PDFDocument from "pdfkit";
import { request } from "undici";
import type { BaseUrl } from "~/platform/env-variables.server";
import { isRecord, parseJson, parseRecord } from "~/platform/json-value";
import { findHome } from "./account-home";
import { buildUrl } from "./call/address.server";
import { callProvider } from "./call/client.server";
import { formatNoAnswer } from "./call/no-answer";
import { encodeWireBody, FORM_TYPE, type WireType } from "./call/wire.server";
import { callCancel } from "./piece.server";
import { fetchProviderPdf, findPdfAddress } from "./provider-pdf.server";

/** A masked answer of the provider. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The parsed JSON; undefined when it is not JSON. */
  body: unknown;
  /** Time of its arrival. */
  at: number;
}

/** An answer, or the reason why there is none. */
export type ProbeResult = Answer | string;

const LIMITS = { calls: 40, totalMs: 60_000, callMs: 20_000 };
const NOTHING_NAMED = "An earlier answer names nothing to ask for.";
/** Public buildings, which any address check knows. Sizes in points: a card with its bleed, and a page. */
const HOMES = {
  US: {
    address: { address1: "350 5th Ave", city: "New York", county: "NY", postcode: "10118", country: "US" },
    postcard: { size: "4x6", points: [449, 305] },
    letter: { size: "US-LETTER", points: [612, 792] },
  },
  GB: {
    address: { address1: "10 Downing Street", city: "London", postcode: "SW1A 2AA", country: "GB" },
    postcard: { size: "A6", points: [437, 315] },
    letter: { size: "A4", points: [595, 842] },
  },
} as const;

/**
 * The calls of `npm run verify-provider`, up to 40 in 60 s. None can mail: `test` is set when a sample is sent. A used-up rate
 * limit, and a test that is accepted as real mail, end the run: every later call returns the reason.
 */
export async function openProbes(base: BaseUrl) {
  const endsAt = performance.now() + LIMITS.totalMs;
  const { address, postcard, letter } = HOMES[findHome(base)];
  const recipient = { firstname: "Mailroom", lastname: "Test", ...address };
  // Drawn once, because a PDF holds its time, and a repeated request must be the same.
  const contents = {
    postcard: { size: postcard.size, front: await drawBlank(postcard.points), message: "Mailroom test" },
    letter: { size: letter.size, file: await drawBlank(letter.points) },
  };
  let calls = 0;
  let ended: string | null = null;

  async function ask(makeCall: (timeoutMs: number) => Promise<ProbeResult>): Promise<ProbeResult> {
    const leftMs = Math.floor(endsAt - performance.now());
    if (calls >= LIMITS.calls || leftMs < 1) ended ??= "The limit of 40 calls or 60 s was reached.";
    if (ended !== null) return ended;
    calls += 1;
    const answer = await makeCall(Math.min(leftMs, LIMITS.callMs));
    if (typeof answer === "string" || answer.status !== 429) return answer;
    ended = "The provider's rate limit is used up.";
    return ended;
  }

  function send(
    path: string,
    query: Record<string, string>,
    body: string | null = null,
    headers: Record<string, string> = {},
  ): Promise<ProbeResult> {
    return ask(async (timeoutMs) => {
      const url = buildUrl(base, path, query);
      if (!url.ok) return url.failure.message;
      const method = body === null ? "GET" : "POST";
      const result = await callProvider({ method, url: url.value, headers, body, timeoutMs });
      if (result.kind !== "answered") return formatNoAnswer(result, timeoutMs);
      return { ...result, body: parseJson(result.text), at: Date.now() };
    });
  }

  return {
    /** @param path null when earlier answers name nothing to read */
    read: async (path: string | null, query: Record<string, string> = {}): Promise<ProbeResult> =>
      path === null ? NOTHING_NAMED : send(path, query),
    postForm: (path: string, body: string) => send(path, {}, body, { "content-type": FORM_TYPE }),
    readAs: (key: string | null) => ask((timeoutMs) => readAs(base, key, timeoutMs)),
    /** Fetches a PDF; status 0 without one. @param written no text when no answer names it */
    readPdf: async (written: unknown): Promise<ProbeResult> => {
      if (typeof written !== "string") return NOTHING_NAMED;
      return ask(async () => {
        const url = findPdfAddress(written);
        const fetched = url && (await fetchProviderPdf(url));
        return toEmptyAnswer(fetched?.ok ? 200 : 0);
      });
    },
    /** Sends a test. One that is accepted as real mail is cancelled, and ends the run. */
    async sendTest(
      type: "letter" | "postcard",
      options: { fields?: Record<string, unknown>; key?: string; contentType?: WireType } = {},
    ): Promise<ProbeResult> {
      const { fields = {}, key, contentType = "application/json" } = options;
      const marks = key === undefined ? {} : { idempotency_key: key };
      // `test` is last, so that no field can make it real mail.
      const all = { ...contents[type], recipient, ...fields, ...marks, test: true };
      const headers = {
        "content-type": contentType,
        ...(key === undefined ? {} : { "x-idempotency-key": key }),
      };
      const answer = await send(`${type}s/create`, {}, encodeWireBody(all, contentType), headers);
      if (typeof answer === "string" || !isLiveMail(answer)) return answer;
      const id = String(dataOf(answer).id ?? "");
      const { outcome } = await callCancel({ baseUrl: base.url, type, id }, LIMITS.callMs);
      const end =
        outcome.kind === "cancelled" ? "It was cancelled." : "Cancel it in the provider's dashboard now.";
      ended = `A test was accepted as real mail, as ${type} ${id || "without an ID"}. ${end} Nothing more was asked.`;
      return answer;
    },
  };
}

async function readAs(base: BaseUrl, key: string | null, timeoutMs: number): Promise<ProbeResult> {
  const url = buildUrl(base, "users/me", {});
  if (!url.ok) return url.failure.message;
  const authorization = `Basic ${Buffer.from(`${key}:`).toString("base64")}`;
  try {
    const { statusCode, body } = await request(url.value, {
      headers: { accept: "application/json", ...(key === null ? {} : { authorization }) },
      signal: AbortSignal.timeout(timeoutMs),
    });
    await body.dump();
    return toEmptyAnswer(statusCode);
  } catch {
    return "The provider did not answer a call with another key.";
  }
}

function toEmptyAnswer(status: number): Answer {
  return { status, headers: {}, text: "", body: undefined, at: Date.now() };
}

/** Draws blank artwork, as base64. @param points width and height */
async function drawBlank([width, height]: readonly [number, number]): Promise<string> {
  const document = new PDFDocument({ size: [width, height], margin: 40 });
  document.text("Mailroom test").end();
  return (await buffer(document)).toString("base64");
}

/** Returns the `data` of an answer, with or without an envelope. */
export function dataOf({ body }: Answer): Record<string, unknown> {
  const record = parseRecord(body);
  return record.success === undefined ? record : parseRecord(record.data);
}

/** Returns the rows of a list, with or without an envelope; null when it is no list. */
export function listOf({ status, body }: Answer): Record<string, unknown>[] | null {
  const data = Array.isArray(body) ? body : parseRecord(body).data;
  const rows = Array.isArray(data) ? data : parseRecord(data).singles;
  return status === 200 && Array.isArray(rows) ? rows.filter(isRecord) : null;
}

/** True when a letter or postcard was accepted and the answer does not say that it is a test. */
function isLiveMail(answer: Answer): boolean {
  const { id, status } = dataOf(answer);
  const isAccepted = id !== undefined || parseRecord(answer.body).success === true;
  return isAccepted && status !== "test" && String(id) !== "0";
}
