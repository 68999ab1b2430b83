import { expect, test } from "vitest";
import * as say from "~/sending/messages";

test("a send that is refused, open, or charged in part says so", () => {
  expect([
    say.NO_SERVER_KEY,
    say.DATABASE_DOWN,
    say.formatShortage({ mailType: "letter", cost: 2 }, 1),
    say.MAY_BE_ACCEPTED,
    say.RETRIED_WITH_KEY,
    say.formatHeld(1, say.formatNotKnownYet("postcard")),
    say.formatRateLimitHint(46),
    say.formatRateLimitHint(null),
  ]).toEqual([
    "No server key configured: STANNP_API_KEY must be set in the server's environment. Nothing was sent and nothing was charged.",
    "The database is not available, and live mail needs its ledger. Nothing was sent and nothing was charged. Try again in a moment.",
    "Not enough credits: a live letter needs 2 credits and you have 1.",
    "The provider may have accepted this. It will not be sent twice.",
    "Retried with the same key, so nothing was sent or charged twice.",
    "1 credit stays held: it is not known yet whether this postcard will be sent.",
    "The provider's rate limit is used up and nothing was done. Try again in 46 s.",
    "The provider's rate limit is used up and nothing was done. Try again in a minute.",
  ]);
});
