import { lookup } from "node:dns";
import { BlockList, isIPv4, isIPv6, type LookupFunction } from "node:net";

/** Networks that are no part of the public internet (IANA's registries of special-purpose addresses). */
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
/** Of IPv6 only this is routed; within it, documentation and ways through IPv4. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  SPECIAL.addSubnet(network, prefix, "ipv6");
}

/** True when an IP address, without brackets, is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL.check(address, "ipv4");
  return isIPv6(address) && GLOBAL.check(address, "ipv6") && !SPECIAL.check(address, "ipv6");
}

/** Why a connection was not made: no address of the name is public. */
export const NOT_PUBLIC = "ENOTPUBLIC";

/**
 * Looks a name up for a connection and keeps to addresses of the public internet, so that no name leads into this network,
 * whatever it led to before. A connection to an IP address looks nothing up: ask {@link isPublicAddress} first.
 * @param isTrusted names that may lead anywhere
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
