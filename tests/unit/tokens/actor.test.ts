import { expect, test } from "vitest";
import { formatActorName, personOf, toActorId } from "~/people/actor";

test("the books have the person's id and the token, pages the person's name and the token", () => {
  const actor = toActorId("auth-ada", "nightly-job");
  expect(personOf(actor)).toBe("auth-ada");
  expect(formatActorName(actor, "Ada")).toBe("Ada via nightly-job");
  expect(formatActorName(toActorId("auth-ada", null), "Ada")).toBe("Ada");
  expect(formatActorName(actor, null)).toBe("auth-ada via nightly-job");
});
