import { describe, expect, test } from "vitest";
import { listSimilar } from "~/platform/database/search-sql.server";
import { dropAccents, splitWords, writeSearchText } from "~/platform/search-words";

describe("normalised words for the search", () => {
  test.each([
    ["Siobhán O’Malley", ["siobhan", "omalley"]],
    ["GROẞE Straße, Łódź", ["grosse", "strasse", "lodz"]],
    ["ana.lopez@example.com", ["ana", "lopez", "example", "com"]],
    ["Ærø & Søn A/S", ["aero", "son", "a", "s"]],
    ["Юлия 東京", ["юлия", "東京"]],
    [" ,;% _ ", []],
  ])("%s", (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  test("a text loses only its accents and apostrophes", () => {
    expect(dropAccents("Siobhán O’Malley, Łódź 50%")).toBe("siobhan omalley, lodz 50%");
  });

  test("each word occurs once, and a postcode also without its space", () => {
    expect(writeSearchText(["Ana Lopez", null, "Dublin", "D02 AF30", "Lopez Dublin Ltd"])).toBe(
      " ana lopez dublin d02 af30 d02af30 ltd ",
    );
    expect(writeSearchText([null, ""])).toBe("");
  });
});

describe("a typing error of one letter", () => {
  const matches = (typed: string, word: string) =>
    listSimilar(typed).some((pattern) => new RegExp(`^${pattern.replaceAll("_", ".")}`).test(word));

  test.each([
    ["siobahn", "siobhan"],
    ["smoth", "smith"],
    ["smth", "smith"],
    ["smmith", "smith"],
    ["xmith", "smith"],
    ["portlnd", "portland"],
  ])("%s finds %s", (typed, word) => {
    expect(matches(typed, word)).toBe(true);
  });

  test.each([
    ["smoke", "smith"],
    ["kim", "kin"],
    ["portland", "porto"],
    ["97206", "97205"],
  ])("%s does not find %s", (typed, word) => {
    expect(matches(typed, word)).toBe(false);
  });
});
