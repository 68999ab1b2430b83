import { parseWaitSeconds, REFUSING_STATUSES } from "~/outside/mail-provider/call/answer";
import { isRecord } from "~/platform/json-value";

/** The meaning of an answer to live mail, for the piece and its money. */
export type ProviderOutcome =
  | { kind: "accepted"; providerId: string | null }
  /** Made as a sample: nothing is printed or charged. */
  | { kind: "sample" }
  | { kind: "refused" }
  /** Not done; retry after `waitSeconds`. */
  | { kind: "rate_limited"; waitSeconds: number }
  /** It may have been carried out. */
  | { kind: "unknown" };

interface Answered {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The body as JSON; undefined when it is none. */
  parsed: unknown;
}

/** Parses the provider's answer to live mail. */
export function parseProviderOutcome({ status, headers, parsed }: Answered): ProviderOutcome {
  const body = isRecord(parsed) ? parsed : null;
  if (status === 429) return { kind: "rate_limited", waitSeconds: parseWaitSeconds(headers) };
  if (status === 409 || (status >= 200 && status <= 299)) {
    if (body?.success === true) return parsePiece(body.data);
    return body?.success === false && status !== 409 ? { kind: "refused" } : { kind: "unknown" };
  }
  return REFUSING_STATUSES.has(status) ? { kind: "refused" } : { kind: "unknown" };
}

function parsePiece(data: unknown): ProviderOutcome {
  const { id, status } = isRecord(data) ? data : { id: undefined, status: undefined };
  if (status === "test" || id === 0 || id === "0") return { kind: "sample" };
  return { kind: "accepted", providerId: parseId(id) };
}

/**
 * Parses the provider's id. Ids are whole numbers, but any short name is accepted, so that a mailed piece is not lost
 * for its id.
 */
function parseId(id: unknown): string | null {
  const text = typeof id === "number" || typeof id === "string" ? String(id) : "";
  return /^[\w.-]{1,64}$/.test(text) ? text : null;
}
