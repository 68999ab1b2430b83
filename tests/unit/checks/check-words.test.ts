import { expect, test } from "vitest";
import { listPlaces, toPattern } from "../../check-words";

test.each([
  ["anew", "It is sent Anew, renewed.", ["Anew"]],
  ["so many", "tried so\n * many times, and so many", ["so\n * many", "so many"]],
  ["is told", "He is toldable; who is told", ["is told"]],
])("%s is found as a word", (word, text, found) => {
  const places = listPlaces("a.ts", text, toPattern(word), "another");
  expect(places.map((place) => JSON.parse(/".*"/.exec(place)?.[0] ?? ""))).toEqual(found);
});

test("a place has its line", () => {
  expect(listPlaces("a.ts", "x\nanew", toPattern("anew"), "again")).toEqual(['a.ts:2: "anew" -> again']);
});
