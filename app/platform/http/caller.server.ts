import { isIP, isIPv6 } from "node:net";
import type { Request } from "express";
import ipaddr from "ipaddr.js";
import { parseSession } from "./session.server";
import { parseBearer } from "./token-access.server";

/** Formats a token that this process has seen; null for any other text. */
export type FormatToken = (text: string) => string | null;

/**
 * Names the caller of a request, the same in every process: the token, the person of the session, or the address. Unknown
 * tokens count by address, so that invented ones have no limits of their own. IPv6 addresses count by their first half,
 * because their owner chooses the rest.
 */
export async function formatCaller(request: Request, formatToken: FormatToken): Promise<string> {
  const bearer = parseBearer({ get: (name) => request.get(name) ?? null });
  if (bearer !== null) return formatToken(bearer) ?? formatAddress(request);
  const session = await parseSession({ headers: { get: (name) => request.get(name) ?? null } });
  return session ? `person ${session.subject}` : formatAddress(request);
}

/** Uses the socket's address when `X-Forwarded-For` holds none, so that invented words have no limits of their own. */
function formatAddress({ ip, socket }: Request): string {
  return `address ${shortenAddress((ip && isIP(ip) ? ip : socket.remoteAddress) ?? "")}`;
}

/** Returns the first 64 bits of an IPv6 address, and any other address unchanged. */
export function shortenAddress(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return parsed.toNormalizedString().split(":", 4).join(":");
}
