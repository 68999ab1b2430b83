import { afterEach, describe, expect, test, vi } from "vitest";

afterEach(() => vi.unstubAllEnvs());

/** Targets of a page's forms with these variables. */
async function readFormTargets(variables: Record<string, string>): Promise<string | undefined> {
  vi.resetModules();
  for (const name of ["STRIPE_SECRET_KEY", "STRIPE_API_BASE"]) vi.stubEnv(name, variables[name]);
  const { buildPagePolicy } = await import("~/platform/http/security-headers.server");
  return buildPagePolicy({ nonce: "nonce", styleHash: null })
    .split("; ")
    .find((directive) => directive.startsWith("form-action"));
}

describe("targets of a page's forms", () => {
  test("to the console only, without card payment", async () => {
    expect(await readFormTargets({})).toBe("form-action 'self'");
    expect(await readFormTargets({ STRIPE_API_BASE: "http://127.0.0.1:4012" })).toBe("form-action 'self'");
  });

  test("to Stripe's payment page", async () => {
    expect(await readFormTargets({ STRIPE_SECRET_KEY: "sk_test_1" })).toBe(
      "form-action 'self' https://checkout.stripe.com",
    );
  });

  test("to the payment page of a Stripe emulator", async () => {
    const variables = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_API_BASE: "http://127.0.0.1:4012/" };
    expect(await readFormTargets(variables)).toBe("form-action 'self' http://127.0.0.1:4012");
  });
});
