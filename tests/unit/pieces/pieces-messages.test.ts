import { expect, test } from "vitest";
import * as cancel from "~/pieces/cancel/messages";

const quote = {
  type: "letter" as const,
  state: "accepted" as const,
  status: "received",
  fresh: true,
  late: false,
  waiting: true,
  charged: 2,
  balance: 8,
  held: 0,
};

test("the confirmation of a cancel says what will come back", () => {
  expect([
    cancel.formatCancelQuote(quote),
    cancel.formatCancelQuote({ ...quote, fresh: false }),
    cancel.formatCancelQuote({ ...quote, status: "handed_over", late: true, waiting: false }),
    cancel.formatCancelQuote({ ...quote, state: "cancelled", charged: 1 }),
    cancel.formatCancelQuote({ ...quote, held: 2 }),
  ]).toMatchInlineSnapshot(`
    [
      "Not printed yet. 2 credits back, balance 10.",
      "The provider last said received, and did not answer just now: it may still be possible. 2 credits back, balance 10.",
      "The provider says handed over: probably too late. If it works: 2 credits back, balance 10.",
      "This letter is cancelled already. Refunded: 1 credit. Balance 8.",
      "Not printed yet. 2 credits back, balance 10, of which 2 are held.",
    ]
  `);
});
