/** Where a request went, read from its raw target. */
export interface RequestAddress {
  /** The base it used, e.g. `/v1`; "" for an address below none of them. */
  prefix: string;
  /** Below the base as it arrived, `.json` included, e.g. `recipients/list`. */
  path: string;
  /** Without `.json` where the base allows it, decoded, e.g. `["recipients", "list"]`. */
  segments: string[];
  query: URLSearchParams;
}

/** Only the dash host's base is said to take a `.json` ending. */
const BASES = [
  { prefix: "/global/v1", takesJsonEnding: false },
  { prefix: "/api/v1", takesJsonEnding: true },
  { prefix: "/v1", takesJsonEnding: false },
];

/**
 * Doubled slashes and percent-encoded letters lead to the same place, as they do behind common web servers:
 * an alias that a caller lets through shows up here as the real call.
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
