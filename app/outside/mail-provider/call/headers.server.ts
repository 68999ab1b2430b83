import { fail, NOTHING_DONE, type Outcome, succeed } from "~/platform/outcome";

const PASSED = new Set(["content-type", "accept", "accept-language", "idempotency-key", "x-idempotency-key"]);
/** Other `x-` headers with credentials, or that change method, host, path or the sender's address. */
const STOPPED =
  /^x-(?:.*(?:key|token|secret|auth|credential|cookie|session)|forwarded|real-ip|client-ip|cluster-client|remote|originating|original|rewrite|host|http|method|url|proxy|accel|sendfile|arr-|envoy|amz|goog|waws)/;
const MAX_HEADERS = 64;
const MAX_VALUE_CHARS = 4_096;

/**
 * Returns the caller's headers that go to the provider, with lower-case names, and drops the others. Fails with `bad_input`
 * when one of them cannot be sent.
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
  if (PASSED.has(name)) return true;
  return name.startsWith("x-") && name.length > 2 && !STOPPED.test(name);
}
