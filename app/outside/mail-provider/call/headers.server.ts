import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";

/** Which of a caller's headers are passed on to the provider. */

const PASSED = new Set(["content-type", "accept", "accept-language", "idempotency-key"]);
/** Of the `x-` headers: other credentials, and what changes method, host, path or the sender's address. */
const STOPPED =
  /^x-(?:.*(?:key|token|secret|auth|credential|cookie|session)|forwarded|real-ip|client-ip|cluster-client|remote|originating|original|rewrite|host|http|method|url|proxy|accel|sendfile|arr-|envoy|amz|goog|waws)/;
const ALWAYS_PASSED = "x-idempotency-key";
const MAX_HEADERS = 64;
const MAX_VALUE_CHARS = 4_096;

/**
 * The headers that pass, with lower-case names; all others are dropped. Fails with `bad_input` when one that
 * passes cannot be sent as it is.
 */
export function filterHeaders(headers: Record<string, string>): Outcome<Record<string, string>> {
  const passed: Record<string, string> = {};
  for (const [written, value] of Object.entries(headers)) {
    const name = written.trim().toLowerCase();
    if (!isPassed(name)) continue;
    if (!/^[\t\x20-\x7e\xa0-\xff]*$/.test(value) || value.length > MAX_VALUE_CHARS) {
      return fail("bad_input", `The header ${name} has a value that cannot be sent. ${NOTHING_DONE}`);
    }
    passed[name] = value.trim();
  }
  if (Object.keys(passed).length > MAX_HEADERS) {
    return fail("bad_input", `More than ${MAX_HEADERS} headers are given. ${NOTHING_DONE}`);
  }
  return succeed(passed);
}

function isPassed(name: string): boolean {
  if (!/^[a-z0-9-]+$/.test(name)) return false;
  if (PASSED.has(name) || name === ALWAYS_PASSED) return true;
  return name.startsWith("x-") && name.length > 2 && !STOPPED.test(name);
}
