import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.unstubAllEnvs());

const EMULATOR = "http://127.0.0.1:4012";
test.each([
  ["the console only, without card payment", { STRIPE_API_BASE: EMULATOR }, ""],
  ["Stripe's payment page", { STRIPE_SECRET_KEY: "sk_test_1" }, " https://checkout.stripe.com"],
  ["a Stripe emulator", { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_API_BASE: `${EMULATOR}/` }, ` ${EMULATOR}`],
])("a page's forms may be sent to %s", async (_where, variables, target) => {
  vi.resetModules();
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const { buildPagePolicy } = await import("~/platform/http/security.server");
  const policy = buildPagePolicy({ nonce: "nonce", styleHash: null }).split("; ");
  expect(policy).toContain(`form-action 'self'${target}`);
});
