import { expect, test } from "vitest";
import { describeShape, findChanges } from "~/responses/shapes/answer-shape";

const ANSWER = {
  success: true,
  data: {
    id: 4180021,
    pdf: "https://example.com/a.pdf",
    cost: "1.10",
    status: "received",
    test: false,
    address: { city: "Portland", zip: "97205", geo: { lat: 45.5, lon: -122.6 } },
    tags: ["welcome"],
    events: [
      { at: "2026-11-22", name: "received" },
      { at: "2026-11-23", name: "printed", note: "late" },
    ],
    pages: [] as unknown[],
    tracking: null as unknown,
  },
};
type Answer = typeof ANSWER;

function change(edit: (answer: Answer) => unknown): unknown {
  const copy = structuredClone(ANSWER);
  return edit(copy) ?? copy;
}

const remove = (target: object, name: string) => void Reflect.deleteProperty(target, name);
const known = [
  { lines: describeShape(ANSWER), times: 20 },
  // `note` and `tracking` are optional.
  {
    lines: describeShape(
      change(({ data }) => void Object.assign(data, { tracking: "1Z", events: [{ at: "x", name: "y" }] })),
    ),
    times: 4,
  },
];

test.each<[change: string, edit: Parameters<typeof change>[0]]>([
  ["`answer.meta` is new", (answer) => ({ ...answer, meta: { page: 1 } })],
  ["`answer.data.address.geo.alt` is new", ({ data }) => void Object.assign(data.address.geo, { alt: 1 })],
  ["`answer.data.events[].by` is new", ({ data }) => void Object.assign(data.events[0] ?? {}, { by: "x" })],
  ["`answer.data` is gone", (answer) => remove(answer, "data")],
  ["`answer.data.address.geo.lat` is gone", ({ data }) => remove(data.address.geo, "lat")],
  [
    "`answer.data.events[].at` is gone",
    ({ data }) => {
      for (const event of data.events) remove(event, "at");
    },
  ],
  ["`answer.data.id` is text, was number", ({ data }) => void Object.assign(data, { id: "4180021" })],
  ["`answer.data.cost` is number, was text", ({ data }) => void Object.assign(data, { cost: 1.1 })],
  ["`answer.data.address` is text, was object", ({ data }) => void Object.assign(data, { address: "x" })],
  ["`answer.data` is list, was object", (answer) => ({ ...answer, data: [answer.data] })],
  ["`answer.data.tags[]` is object, was text", ({ data }) => void Object.assign(data, { tags: [{}] })],
  ["`answer` is text, was object", () => "<html>"],
])("a change of answers is found: %s", (expected, edit) => {
  expect(findChanges(known, describeShape(change(edit)))).toContain(expected);
});

test.each<[name: string, edit: Parameters<typeof change>[0]]>([
  ["other values", ({ data }) => void Object.assign(data, { id: 1, status: "printed" })],
  ["a field that is sometimes absent", ({ data }) => remove(data.events[1] ?? {}, "note")],
  ["null in place of a value", ({ data }) => void Object.assign(data, { pdf: null })],
  ["the first value of a field", ({ data }) => void Object.assign(data, { tracking: "1Z" })],
  ["the first entries of a list", ({ data }) => void Object.assign(data, { pages: [{ url: "x" }] })],
  ["an empty list", ({ data }) => void Object.assign(data, { events: [], tags: [] })],
  ["IDs as names of fields", ({ data }) => void Object.assign(data, { "4180022": 1, "Ana López": 2 })],
])("no change: %s", (_, edit) => {
  expect(findChanges(known, describeShape(change(edit)))).toEqual([]);
});

test("a shape contains no values", () => {
  const people = { "ana@example.com": { "Ana López": "Portland" }, name: "Ana" };
  expect(describeShape(people)).toEqual([
    "answer object",
    "answer.* object",
    "answer.*.* text",
    "answer.name text",
  ]);
});
