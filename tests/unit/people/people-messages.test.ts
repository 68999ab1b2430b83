import { expect, test } from "vitest";
import * as say from "~/people/messages";

test("who is logged out, or names a user who is not stored, is told what was not done", () => {
  expect([say.SIGNED_OUT, say.API_SIGNED_OUT, say.SEND_SIGNED_OUT, say.NO_SUCH_USER_MESSAGE]).toEqual([
    "You are logged out. Nothing was changed. Log in, then try again.",
    "You are logged out. Nothing was changed. Log in at /api/auth/login, or send a token as Authorization: Bearer.",
    "You are logged out. Nothing was sent and nothing was charged. Log in, then send again.",
    "There is no user with this ID. Nothing was changed.",
  ]);
});

test.each([
  [3, 100, "You spent 3 of 100 credits today, by hand and via tokens. The day ends at 00:00 UTC."],
  [1, null, "You spent 1 credit today, by hand and via tokens. No daily limit."],
  [1_200, null, "You spent 1,200 credits today, by hand and via tokens. No daily limit."],
])("what a person spent today: %s of %s", (spent, limit, sentence) => {
  expect(say.formatSpentToday(spent, limit)).toBe(sentence);
});
