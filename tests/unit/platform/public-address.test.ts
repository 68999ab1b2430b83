import { expect, test } from "vitest";
import { isPublicAddress } from "~/platform/public-address.server";

test.each(["8.8.8.8", "104.18.0.1", "172.15.0.1", "172.32.0.1", "2606:4700::6810:1", "2a00:1450:4001::1"])(
  "%s is public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

const PRIVATE = `127.0.0.1 10.1.2.3 169.254.169.254 172.16.0.1 192.168.1.1 100.64.0.1 0.0.0.0 192.88.99.1 224.0.0.1
  255.255.255.255 ::1 :: fe80::1 fd00::1 ::ffff:10.0.0.1 ::10.0.0.1 64:ff9b::a00:1
  2002:a00:1:: 2001:db8::1 3fff::1 198.51.100.1 203.0.113.1 192.0.2.1 198.18.0.1 240.0.0.1`;
test.each(["", "not an address", ...PRIVATE.split(/\s+/)])("%s is not", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
