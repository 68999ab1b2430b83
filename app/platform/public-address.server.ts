import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** The only part of IPv6 that is routed publicly. */
const GLOBAL = ipaddr.IPv6.parseCIDR("2000::/3");

/** True for a public IP address. Brackets are not accepted. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  // "unicast" is outside of IANA's registries of special-purpose addresses.
  return parsed.range() === "unicast" && (parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL));
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
