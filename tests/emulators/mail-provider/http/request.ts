import { expandBrackets, type Fields } from "./fields";

/** One received request, kept for tests to inspect. */
export class ReceivedRequest {
  /** The status of its answer; null until it is answered, and permanently when a fault broke the connection. */
  answeredStatus: number | null = null;

  constructor(
    readonly method: string,
    /** Below the base, as it arrived: `recipients/list`. */
    readonly path: string,
    /** The base: `/v1`, `/global/v1`, `/api/v1`, or "" for none. */
    readonly prefix: string,
    readonly rawUrl: string,
    readonly query: [name: string, value: string][],
    /** Names in lower case; repeated headers are joined by commas. */
    readonly headers: Readonly<Record<string, string>>,
    readonly rawBody: Buffer,
    /** The decoded fields, brackets expanded; null when the body does not fit its content type. */
    readonly body: Fields | null,
  ) {}

  get contentType(): string {
    return this.headers["content-type"] ?? "";
  }

  get rawText(): string {
    return this.rawBody.toString("utf8");
  }
}

/** The address of a request, parsed from its raw target. */
export interface RequestAddress {
  /** The base, e.g. `/v1`; "" for an address below none of them. */
  prefix: string;
  /** Below the base as it arrived, `.json` included, e.g. `recipients/list`. */
  path: string;
  /** Without `.json` where the base allows it, decoded, e.g. `["recipients", "list"]`. */
  segments: string[];
  query: URLSearchParams;
}

/** Only the dash host's base documents a `.json` ending. */
const BASES = [
  { prefix: "/global/v1", takesJsonEnding: false },
  { prefix: "/api/v1", takesJsonEnding: true },
  { prefix: "/v1", takesJsonEnding: false },
];

/**
 * Treats doubled slashes and percent-encoded letters as the same address, as common web servers do: an alias that a
 * caller lets through shows up here as the real call.
 */
export function readRequestAddress(target: string): RequestAddress {
  const mark = target.indexOf("?");
  const pathname = mark < 0 ? target : target.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? "" : target.slice(mark + 1));
  const base = BASES.find(({ prefix }) => pathname === prefix || pathname.startsWith(`${prefix}/`));
  const prefix = base?.prefix ?? "";
  const path = pathname.slice(prefix.length).replace(/^\/+/, "");
  const plain = base?.takesJsonEnding ? path.replace(/\.json$/, "") : path;
  const segments = plain.split("/").filter(Boolean).map(decodeSegment);
  return { prefix, path, segments, query };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Decodes a body by its content type: form with brackets, or JSON; null when it is not JSON. Any other content type
 * carries no fields, as in PHP.
 */
export function decodeBody(contentType: string, raw: Buffer): Fields | null {
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (raw.length === 0) return {};
  if (mediaType === "application/x-www-form-urlencoded") {
    return expandBrackets(new URLSearchParams(raw.toString("utf8")));
  }
  if (mediaType !== "application/json") return {};
  try {
    const parsed: unknown = JSON.parse(raw.toString("utf8"));
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as Fields) : {};
  } catch {
    return null;
  }
}
