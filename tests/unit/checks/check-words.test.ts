import { expect, test } from "vitest";
import { findWords } from "../../check-words";

const found = (text: string, path = "app/pieces/send.ts") =>
  findWords(path, text).map((finding) => finding.found);

test.each([
  ["// As money.md §2 says", ["§2", "money.md"]],
  ["// (spec §8)", ["spec §"]],
  ["const isTwin = findTwins();", ["Twin", "Twins"]],
  ['log.info("the send was booked", {})', ['"the send was booked"']],
  ['log.warn(\n  "late",\n)', ['"late"']],
  ["<p>It waits for a person.</p>", ["waits for a person"]],
  ["interface Heard {} // as it went out by the door", ["Heard", "went out", "door"]],
  ["function describePage() {} function tell() {}", ["describePage", "tell"]],
  ['alarm({ source: "reconcile" })', ['"reconcile"']],
])("%s is found", (text, words) => {
  expect(found(text)).toEqual(words);
});

test.each([
  "between, twinkle, fireproof, allow_promotion_codes, an issue of money",
  "See README.md and app/pieces/README.md",
  'log.info("send.recovery_failed", { sendId })',
  "RECONCILE_INTERVAL_MS, reconciliation",
  "outdoors, a route that goes outside, description.describe(text)",
])("%s is fine", (text) => {
  expect(found(text)).toEqual([]);
});

test("a rule may be for some files only", () => {
  expect(found("It is booked.", "app/story/messages.ts")).toEqual(["booked"]);
  expect(found("It is booked.", "app/credits/ledger/ledger.server.ts")).toEqual([]);
});

test("names of files count too, and a finding tells its line", () => {
  expect(findWords("app/pieces/twin.ts", "a\nb twin")).toEqual([
    { path: "app/pieces/twin.ts", line: 0, found: "twin", instead: "duplicate" },
    { path: "app/pieces/twin.ts", line: 2, found: "twin", instead: "duplicate" },
  ]);
});
