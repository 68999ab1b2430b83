import { expect, test } from "vitest";
import { findMessage } from "~/error-screen";

test.each(["Unexpected Server Error", 'Unable to decode turbo-stream response from URL: "/mail.data"'])(
  "Remix's %s is hidden behind the next step",
  (message) => {
    expect(findMessage(new Error(message))).toBe(
      "This page could not be made. Check whether your change was done, then try again.",
    );
  },
);

test("an error of the page itself is shown unchanged", () => {
  expect(findMessage(new Error("The chart has no width"))).toBe("The chart has no width");
  expect(findMessage(new Error(""))).toBe("Unknown error");
});
