import { expect, test } from "vitest";
import * as cancel from "~/pieces/cancel/messages";
import * as say from "~/pieces/messages";

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

test("a cancel says what it did, or did not do", () => {
  expect([
    cancel.formatNoItem(null),
    cancel.formatOtherType("postcard"),
    cancel.formatUnknownBase("letter"),
    cancel.formatCancelInProgress("letter"),
    cancel.formatCancelledBefore("postcard"),
    cancel.formatChargedLess(2, 1),
    cancel.formatCancelUnknown("letter", "The provider did not answer within 60 s."),
    cancel.formatRefundDelayed("letter"),
    cancel.formatCancelRefused("letter", "Already printed"),
    cancel.formatCancelLimited("letter", 46),
    cancel.formatCancelUnreachable("letter", "ECONNREFUSED"),
    cancel.formatTooLate("postcard", "producing"),
    cancel.formatCancelGivenUp("letter"),
  ]).toMatchInlineSnapshot(`
    [
      "This user has no piece with this mail ID. Nothing was cancelled.",
      "This is a postcard: cancel it by postcards/cancel. Nothing was cancelled.",
      "This letter was sent through a base URL that STANNP_BASE_URLS does not name any more. Nothing was cancelled.",
      "This letter is being cancelled already. Nothing was done a second time; try again in a moment.",
      "This postcard was cancelled already; nothing was refunded again",
      "It costs 2, but only 1 had been charged for it, and that is what was refunded.",
      "The provider did not answer within 60 s. It is not known yet whether this letter was cancelled. It is being checked; a refund follows once if it was.",
      "The provider cancelled this letter. The database went away before the refund; it follows once the database is back.",
      "The provider did not cancel this letter: Already printed. Nothing was refunded.",
      "The provider's rate limit is used up, so this letter was not cancelled. Nothing was changed; try again in 46 s.",
      "The provider could not be reached: ECONNREFUSED. This letter was not cancelled and nothing was refunded; try again in a moment.",
      "The provider says producing: too late to cancel this postcard. Nothing was refunded.",
      "The provider could not be asked within a day whether this letter was cancelled. It counts as mailed and stays charged; cancel it again to ask again.",
    ]
  `);
});

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

test("a piece says why it was not mailed, and who decided", () => {
  expect([
    say.formatRefused("letter", "Recipient not found"),
    say.formatRefused("postcard", null),
    say.formatMailedByEvent("handed_over", "501"),
    say.formatDecision("Ana Ruiz", false),
    say.NEEDS_NO_DECISION,
    say.formatTooManyToRefresh(50),
  ]).toMatchInlineSnapshot(`
    [
      "the provider refused this letter: Recipient not found.",
      "the provider refused this postcard.",
      "the provider's webhook says that it is handed over as item 501, so it was mailed.",
      "Ana Ruiz says it was not mailed.",
      "This piece needs no decision any more. Nothing was changed.",
      "Ask for 50 pieces at most at once.",
    ]
  `);
});
