import { describe, expect, test } from "vitest";
import { findDevOrigin } from "../../emulators/dev-origin";

describe("the console's address in development", () => {
  const file = { APP_ORIGIN: "http://localhost:3000" };

  test("follows a port that .env contradicts, and says so", () => {
    expect(findDevOrigin({ ...file, PORT: "4000" }, { PORT: "4000" })).toEqual({
      origin: "http://localhost:4000",
      sentence:
        "PORT is 4000, so the console's address is http://localhost:4000 for now. APP_ORIGIN in .env is http://localhost:3000.",
    });
    expect(findDevOrigin({ PORT: "4000", APP_ORIGIN: "http://127.0.0.1" }, {})?.origin).toBe(
      "http://127.0.0.1:4000",
    );
  });

  test.each([
    ["the two agree", { ...file, PORT: "3000" }, {}],
    ["no port is named", file, {}],
    ["no address is named", { PORT: "4000" }, { PORT: "4000" }],
    ["the address is in the environment too", { ...file, PORT: "4000" }, { ...file, PORT: "4000" }],
    ["the address is a tunnel's", { PORT: "4000", APP_ORIGIN: "https://dev.example.com" }, { PORT: "4000" }],
    ["the address is not one, which the start says itself", { PORT: "4000", APP_ORIGIN: "x" }, {}],
  ])("stays where %s", (_, set, given) => {
    expect(findDevOrigin(set, given)).toBeNull();
  });
});
