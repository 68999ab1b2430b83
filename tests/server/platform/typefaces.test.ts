import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { create } from "fontkit";
import { beforeAll, expect, test } from "vitest";
import { buildConsole, PROJECT } from "../../support/console/console-build";

/** Typefaces as served: the build removes the half of their packages that no page uses. */
const FACES = [
  { face: "inter-latin-wght-normal", from: "inter", kb: 26 },
  { face: "inter-latin-ext-wght-normal", from: "inter", kb: 51 },
  { face: "jetbrains-mono-latin-wght-normal", from: "jetbrains-mono", kb: 15 },
];
const WORDS = ["AVAST To", "Siobhán", "Zoë Müller", "Łódź", "1,234.50 -> 2"];

let assets: string;
beforeAll(async () => {
  assets = join(await buildConsole(), "build/client/assets");
});

test.each(FACES)("$face is small and has every character in its width", ({ face, from, kb }) => {
  const name = readdirSync(assets).find((each) => each.startsWith(face)) ?? "";
  const file = readFileSync(join(assets, name));
  expect(file.length / 1024).toBeLessThan(kb);
  const original = join(PROJECT, `node_modules/@fontsource-variable/${from}/files/${face}.woff2`);
  const [served, whole] = [create(file), create(readFileSync(original))];
  for (let code = 0; code < 0xffff; code++) {
    const character = String.fromCharCode(code);
    // Pages take combining marks from another font (`unicode-range`).
    if (!whole.hasGlyphForCodePoint(code) || /\p{M}/u.test(character)) continue;
    expect(served.hasGlyphForCodePoint(code), character).toBe(true);
    expect(served.glyphForCodePoint(code).advanceWidth, character).toBe(
      whole.glyphForCodePoint(code).advanceWidth,
    );
  }
  for (const word of WORDS) {
    const [now, before] = [served, whole].map((font) =>
      font.layout(word, { tnum: true }, "latn", undefined, "ltr").positions.map(({ xAdvance }) => xAdvance),
    );
    expect(now, word).toEqual(before);
  }
});
