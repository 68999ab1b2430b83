import { expect, test } from "vitest";
import * as say from "~/sending/messages";

test("a refused request says what was not done, and the next step", () => {
  expect([
    say.formatBadRequest(["path is missing"]),
    say.NO_SERVER_KEY,
    say.UNKNOWN_PAYER,
    say.DATABASE_DOWN,
    say.KEY_REUSED,
    say.IN_PROGRESS,
    say.formatUnexpectedLiveMail("letter"),
    say.formatShortage({ mailType: "letter", cost: 2 }, 1),
    say.formatNotAsTested(["size", "message"]),
    say.formatTestTooOld(24),
    say.formatSpendingRefused("accounts/topup"),
    say.formatOtherSpelling("letters/cancel"),
    say.formatSampleOnly("mailings/create"),
    say.formatUnreachable("ECONNREFUSED"),
  ]).toMatchInlineSnapshot(`
    [
      "The request cannot be read: path is missing. Nothing was sent and nothing was charged.",
      "No server key configured: STANNP_API_KEY must be set in the server's environment. Nothing was sent and nothing was charged.",
      "The user who should pay does not exist. Nothing was sent and nothing was charged.",
      "The database is not available, and live mail needs its ledger. Nothing was sent and nothing was charged. Try again in a moment.",
      "This idempotency key was used for another request. Nothing was sent and nothing was charged. Use a new key.",
      "The same request is being sent right now. Nothing was sent and nothing was charged. Ask again in a moment for its outcome.",
      "This is live mail: a letter would be printed and posted. The page showed a test, so it was stopped. Nothing was sent and nothing was charged. Switch to Live, check it again, then press Send LIVE.",
      "Not enough credits: a live letter needs 2 credits and you have 1.",
      "This is not what was tested. Changed since the test: size, message. Nothing was sent and nothing was charged. Test it again, then send it live.",
      "This test is older than 24 hours; prices and designs may have changed. Nothing was sent and nothing was charged. Test it again, then send it live.",
      "accounts/topup spends the provider account's money, so it is closed here. The server's operator can allow it in STANNP_ALLOW_PATHS.",
      "This is another spelling of letters/cancel; write the path as letters/cancel and the id in the body.",
      "mailings/create has no price in credits, so only tests are allowed. Send mail with postcards/create or letters/create; the server's operator can allow this path in STANNP_ALLOW_PATHS.",
      "The provider could not be reached: ECONNREFUSED. Nothing was sent and nothing was charged.",
    ]
  `);
});

test("a send whose outcome is open, repeated or partly charged says so", () => {
  expect([
    say.MAY_BE_ACCEPTED,
    say.RETRIED_WITH_KEY,
    say.formatHeld(1, say.formatNotKnownYet("postcard")),
    say.formatNeedsDecision("letter"),
    say.formatPartlyCharged(2, 1),
    say.formatMailedThoughTest("postcard"),
    say.formatTreatedAsTest("letter"),
    say.formatRateLimitHint(46),
    say.formatRateLimitHint(null),
  ]).toMatchInlineSnapshot(`
    [
      "The provider may have accepted this. It will not be sent twice.",
      "Retried with the same key, so nothing was sent or charged twice.",
      "1 credit stays held: it is not known yet whether this postcard will be sent.",
      "We cannot tell whether this letter was mailed. It will not be sent twice; please decide on the piece's page.",
      "It costs 2, and only 1 could be charged.",
      "The provider mailed this postcard although a test was asked for.",
      "The provider treated this letter as a test: nothing was mailed and nothing was charged.",
      "The provider's rate limit is used up and nothing was done. Try again in 46 s.",
      "The provider's rate limit is used up and nothing was done. Try again in a minute.",
    ]
  `);
});
