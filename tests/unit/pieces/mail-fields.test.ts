import { expect, test } from "vitest";
import { findMissing, unifyMailFields } from "~/pieces/send/mail-call.server";

const OWN = "mailroom-0123456789abcdef0123456789abcdef";

test.each([
  [{ tags: "a,b" }, "a,b"],
  [{ tags: ["a", "b"] }, "a,b"],
  [{ "tags[0]": "a", "tags[]": ["b", "c"], tags: "d" }, "a,b,c,d"],
  [{ " tags": { x: "a" } }, "a"],
  [{ tags: OWN }, undefined],
  [{ "tags[0]": OWN, "tags[1]": "a" }, "a"],
  [{ tags: "" }, undefined],
  [{ tags: null }, undefined],
])("the tags in %o are %j", (fields, tags) => {
  const unified = unifyMailFields({ ...fields, message: "kept" });
  expect(unified).toEqual(tags === undefined ? { message: "kept" } : { message: "kept", tags });
});

test("an idempotency key has one spelling; others of it are dropped", () => {
  const spellings = { "idempotency_key[x]": "1", "idempotency.key": "2", " idempotency_key[]": ["3"] };
  expect(unifyMailFields({ ...spellings, idempotency_key: "4" })).toEqual({ idempotency_key: "4" });
});

test.each([
  ["postcards/create", {}, "recipient"],
  ["postcards/create", { recipient: {}, template: "7" }, "recipient"],
  ["postcards/create", { recipient: { firstname: " " }, template: "7" }, "recipient"],
  ["postcards/create", { recipient: "1001" }, "content"],
  ["postcards/create", { recipient: 1001, template: "" }, "content"],
  ["postcards/create", { recipient: 1001, front: "x" }, null],
  ["postcards/create", { "recipient[lastname]": "Ruiz", template: "7" }, null],
  ["letters/create", { recipient: { lastname: "Ruiz" }, pages: [""] }, "content"],
  ["letters/create", { recipient: { lastname: "Ruiz" }, "pages[0]": "<p>Hello</p>" }, null],
  ["letters/create", { recipient: { lastname: "Ruiz" }, file: "x" }, null],
  ["letters/post", {}, "content"],
  ["letters/post", { pdf: "x" }, null],
])("%s with %o lacks %j", (path, fields, missing) => {
  expect(findMissing(path, fields)).toBe(missing);
});
