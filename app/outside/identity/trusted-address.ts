const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** True when an address may carry sign-in traffic: https, or plain http within this machine. */
export function isTrustedAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username || password) return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
}
