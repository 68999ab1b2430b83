import { lookup } from "node:dns";
import { BlockList, isIPv4, isIPv6, type LookupFunction } from "node:net";

/** Networks outside the public internet (IANA's registries of special-purpose addresses). */
const SPECIAL = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  SPECIAL.addSubnet(network, prefix, "ipv4");
}
/** The only part of IPv6 that is routed publicly. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");
// Documentation networks and tunnels through IPv4.
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  SPECIAL.addSubnet(network, prefix, "ipv6");
}

/** True for a public IP address. Brackets are not accepted. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL.check(address, "ipv4");
  return isIPv6(address) && GLOBAL.check(address, "ipv6") && !SPECIAL.check(address, "ipv6");
}

/** Code of the error when no address of a name is public. */
export const NOT_PUBLIC = "ENOTPUBLIC";

/**
 * Resolves a name to public addresses only, at each connection, so that no name leads into this network. A connection to
 * an IP address resolves nothing, so check {@link isPublicAddress} first.
 * @param isTrusted names that may resolve to any address
 */
export function lookUpPublic(isTrusted: (hostname: string) => boolean = () => false): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, "", 0);
      const usable = isTrusted(hostname) ? found : found.filter(({ address }) => isPublicAddress(address));
      const [first] = usable;
      if (!first) {
        const refusal = new Error("The name leads to an address that is not public.");
        return callback(Object.assign(refusal, { code: NOT_PUBLIC }), "", 0);
      }
      if (options.all) return callback(null, usable);
      callback(null, first.address, first.family);
    });
  };
}
