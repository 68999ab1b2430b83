import { BlockList, isIPv4, isIPv6 } from "node:net";

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

/** Whether an IP address, without brackets, is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL.check(address, "ipv4");
  return isIPv6(address) && GLOBAL.check(address, "ipv6") && !SPECIAL.check(address, "ipv6");
}
