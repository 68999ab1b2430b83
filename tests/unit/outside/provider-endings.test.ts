import { expect, test } from "vitest";
import { classifyCallError } from "~/outside/mail-provider/call/client.server";

/** An error of a call, which determines whether the provider may have seen it. */
const error = (code: string, syscall?: string) =>
  Object.assign(new Error("no"), { code, ...(syscall ? { syscall } : {}) });

test.each(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "ETIMEDOUT", "ECONNRESET"])(
  "%s while connecting: the provider has seen nothing",
  (code) => {
    expect(classifyCallError(error(code, "connect"), null)).toMatchObject({ kind: "unreachable" });
    const both = new AggregateError([error(code, "connect"), error("ENETUNREACH", "connect")]);
    expect(classifyCallError(both, null)).toMatchObject({ kind: "unreachable" });
  },
);

test.each(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EPIPE", "ECONNRESET"])(
  "%s once the connection is open: it may have been done",
  (code) => {
    for (const syscall of ["read", "write", undefined]) {
      expect(classifyCallError(error(code, syscall), null)).toEqual({ kind: "cut_off" });
    }
    const mixed = new AggregateError([error(code, "connect"), error(code, "write")]);
    expect(classifyCallError(mixed, null)).toEqual({ kind: "cut_off" });
  },
);

test.each(["ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "CERT_HAS_EXPIRED"])(
  "%s occurs before anything is sent",
  (code) => {
    expect(classifyCallError(error(code, "getaddrinfo"), null)).toMatchObject({ kind: "unreachable" });
  },
);
