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
])("%s is found", (text, words) => {
  expect(found(text)).toEqual(words);
});

test.each([
  "between, twinkle, fireproof, allow_promotion_codes, an issue of money",
  "See README.md and app/pieces/README.md",
  'log.info("send.recovery_failed", { sendId })',
  "RECONCILE_INTERVAL_MS, reconciliation",
])("%s is fine", (text) => {
  expect(found(text)).toEqual([]);
});

test("names of files count too, and a finding tells its line", () => {
  expect(findWords("app/pieces/twin.ts", "a\nb twin")).toEqual([
    { path: "app/pieces/twin.ts", line: 0, found: "twin", instead: "duplicate" },
    { path: "app/pieces/twin.ts", line: 2, found: "twin", instead: "duplicate" },
  ]);
});
