import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import type { CheckoutOrder } from "./checkout.server";

const address = z.string("must be an address of this console").trim();

/** spec §7 `POST /api/stripe/create-checkout`. Whatever else a caller says of the price is not read. */
const wireOrder = z
  .object({
    user_id: userId,
    credits: z.number("is a number, or left out").nullish(),
    success_url: address,
    cancel_url: address,
  })
  .transform(
    (input): CheckoutOrder => ({
      userId: input.user_id,
      credits: input.credits,
      successUrl: input.success_url,
      cancelUrl: input.cancel_url,
    }),
  );

/** A caller's order. Fails with `bad_input`. */
export function parseCheckoutOrder(input: unknown): Outcome<CheckoutOrder> {
  const parsed = wireOrder.safeParse(input);
  if (parsed.success) return succeed(parsed.data);
  const problems = parsed.error.issues.map(
    (issue) => `${String(issue.path[0] ?? "the body")} ${issue.message}`,
  );
  return fail("bad_input", `${problems.join("; ")}. Nothing was charged.`);
}
