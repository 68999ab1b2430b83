import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findMemberText, measureJson } from "~/platform/json-text";

const indents = fc.constantFrom(undefined, 1, "\t", "\n \r");
const keys = fc.oneof(fc.constantFrom("data", "success", 'da"ta', "data\\", "\u2028", ""), fc.string());

/** Objects as text, with keys, whitespace and escapes in any valid form. */
const objectTexts = fc
  .tuple(fc.array(fc.tuple(keys, fc.jsonValue())), indents, fc.boolean())
  .map(([members, indent, escaped]) => {
    const written = members.map(([key, value]) => {
      const name = escaped ? `"${[...key].map((char) => spellOut(char)).join("")}"` : JSON.stringify(key);
      return `${name} : ${JSON.stringify(value, null, indent)}`;
    });
    return ` {${written.join(" ,\n")}} `;
  });

function spellOut(char: string): string {
  return [...Array(char.length).keys()]
    .map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`)
    .join("");
}

describe("findMemberText", () => {
  test("finds what JSON.parse finds, for any object", () => {
    fc.assert(
      fc.property(objectTexts, (text) => {
        const parsed = JSON.parse(text);
        const found = findMemberText(text, "data");
        if (!Object.hasOwn(parsed, "data")) return found === null;
        expect(text).toContain(found);
        expect(JSON.parse(found ?? "")).toEqual(parsed.data);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ['{"a":{"data":1},"data":2}', "2"],
    ['{"data":1,"data":[ 3 ]}', "[ 3 ]"],
    ['{"data":"a\\\\","x":"\\"data\\":5"}', '"a\\\\"'],
    ['{"\\u0064ata":1e5}', "1e5"],
    ['{"data":"}\\"]"}', '"}\\"]"'],
    ['{"data":null}', "null"],
    ['[{"data":1}]', null],
    ['"data"', null],
  ])("%s gives %s", (text, expected) => {
    expect(findMemberText(text, "data")).toBe(expected);
  });
});

describe("measureJson", () => {
  test.each([
    ["[".repeat(65) + "]".repeat(65), 65, 66],
    ['{"a":'.repeat(65), 65, 66],
    [JSON.stringify("[".repeat(1_000)), 0, 1],
    [JSON.stringify(`\\"${"{".repeat(1_000)}`), 0, 1],
    ["[[]],".repeat(1_000), 2, 3_001],
    ['[1,{"a":2}]', 2, 4],
  ])("counts nesting and values outside of strings: %.20s", (text, depth, values) => {
    expect(measureJson(text)).toEqual({ depth, values });
  });

  test("accepts text that is not JSON", () => {
    for (const text of ["", '"', '"\\', "]]]]", '["']) expect(measureJson(text).depth).toBeLessThan(2);
  });
});
