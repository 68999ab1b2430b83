import { expect, test } from "vitest";
import { chooseWait } from "~/pieces/recovery/recovery-tasks.server";

const HOUR = 3_600;

/** Ages in seconds at which an unsettled piece is checked. */
function looks(untilSeconds: number): number[] {
  const ages: number[] = [];
  for (let age = 1; age < untilSeconds; age += chooseWait(age)) ages.push(age);
  return ages;
}

test("a piece of two minutes is checked within half a minute, after any earlier attempts", () => {
  for (let age = 0; age <= 120; age++) expect(chooseWait(age)).toBeLessThanOrEqual(30);
});

test("its request is sent about thirty times in the first hour and fewer than a hundred times in a day", () => {
  expect(looks(HOUR).length).toBeLessThan(35);
  expect(looks(20 * HOUR).length).toBeLessThan(80);
  expect(chooseWait(20 * HOUR)).toBe(HOUR / 2);
});

test("the provider's requested wait is used, and at least a second", () => {
  expect(chooseWait(0)).toBe(1);
  expect(chooseWait(4, 46)).toBe(46);
  expect(chooseWait(400, 46)).toBe(100);
});
