import { z } from "zod";
import { userId } from "~/people/stored-user.schema.server";
import { parseInput } from "~/platform/input.server";
import type { Outcome } from "~/platform/outcome";
import { formatBadOrder, NOT_OUR_ADDRESS } from "../messages";
import type { CheckoutOrder } from "./checkout.server";

const address = z.string(NOT_OUR_ADDRESS).trim();

/** The body of `POST /api/stripe/create-checkout`. A price from a caller is ignored. */
export const wireOrder = z
  .object({
    user_id: userId,
    credits: z.number("must be a number, or left out").nullish(),
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

export function parseCheckoutOrder(input: unknown): Outcome<CheckoutOrder> {
  return parseInput(wireOrder, input, formatBadOrder);
}
