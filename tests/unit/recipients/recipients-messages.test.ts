import { expect, test } from "vitest";
import * as say from "~/recipients/messages";

test("a deletion says what it did, or did not do", () => {
  expect([
    say.NO_KEY_TO_DELETE,
    say.formatDeletionRefused("In use by a campaign"),
    say.formatDeletionLimited(46),
    say.formatDeletionUnreachable("ECONNREFUSED"),
    say.formatDeletionUnknown("The provider did not answer within 60 s."),
  ]).toMatchInlineSnapshot(`
    [
      "The mail API key is not configured: STANNP_API_KEY must be set in the server's environment. Nothing was deleted.",
      "Failed to delete recipient: In use by a campaign. Nothing was deleted.",
      "Failed to delete recipient: the provider's rate limit is used up; try again in 46 s.",
      "Failed to delete recipient: the provider could not be reached (ECONNREFUSED). Nothing was deleted.",
      "Failed to delete recipient: The provider did not answer within 60 s. It may have been deleted; delete it again to be sure.",
    ]
  `);
});
