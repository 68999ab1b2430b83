import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MASK, maskSecret } from "~/outside/mail-provider/call/keys.server";
import { listKeySpellings } from "../../support/key-spellings";

const KEYS = [
  "emulator-key-0000000000000001",
  "a/b+c=d&e\"f'g\\h<i>j k%l~!*()",
  "k\u00e9y-\u4e2d-\u{1f511}-secret",
  "0123456789abcdef0123456789abcdef",
];

describe("maskSecret", () => {
  test.each(KEYS)("blanks every spelling of %s", (key) => {
    for (const [name, spelling] of Object.entries(listKeySpellings(key))) {
      for (const text of [spelling, `x${spelling}y`, `{"a":"${spelling}","b":"${spelling}"}`]) {
        const masked = maskSecret(text, key);
        expect(masked.includes(spelling), name).toBe(false);
        expect(masked).toContain(MASK);
      }
    }
  });

  test("finds the key inside any longer text that was base64-encoded", () => {
    const key = "emulator-key-0000000000000001";
    fc.assert(
      fc.property(fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (before, after) => {
        const encoded = Buffer.from(before + key + after).toString("base64");
        const decoded = Buffer.from(maskSecret(encoded, key), "base64").toString();
        return !decoded.includes(key) && maskSecret(encoded, key).includes(MASK);
      }),
    );
  });

  test("leaves JSON readable and everything else untouched", () => {
    const key = 'k"e\\y/0001';
    const body = { [key]: [key, 1, null, "\u2028"], note: "the key is not here" };
    const masked = JSON.parse(maskSecret(JSON.stringify(body), key));
    expect(masked).toEqual({ [MASK]: [MASK, 1, null, "\u2028"], note: "the key is not here" });
    expect(maskSecret("nothing to hide", key)).toBe("nothing to hide");
  });

  test.each([
    ["https://x.test/a?api_key=someone-elses&b=1", `https://x.test/a?api_key=${MASK}&b=1`],
    ['{"api_key":"someone-elses","b":1}', `{"api_key":"${MASK}","b":1}`],
    ['{"t":"{\\"apiKey\\":\\"abc\\"}"}', `{"t":"{\\"apiKey\\":\\"${MASK}\\"}"}`],
    ["next=%3Fapi_key%3Dabc&x", `next=%3Fapi_key%3D${MASK}&x`],
  ])("blanks values named api_key: %s", (text, expected) => {
    expect(maskSecret(text, "another-key-0001")).toBe(expected);
    expect(maskSecret(expected, "another-key-0001")).toBe(expected);
  });
});
