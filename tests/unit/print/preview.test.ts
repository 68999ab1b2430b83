import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { listFindings } from "~/print/layout/findings";
import { findLetterPage, placeLetterText } from "~/print/layout/geometry";
import { buildPreviewState, type PreviewState } from "~/print/layout/preview-content";
import { drawLetter } from "~/print/letter/draw-letter.server";
import { findPageSize } from "~/print/letter/page";
import { formatNoValue } from "~/print/merge/merge";
import { formatCutLines, formatHiddenPages, formatTooManyLetterPages } from "~/print/messages";
import type { FirstLetter } from "~/print/preview/ask-server";
import { Preview } from "~/print/preview/preview";
import { LAYERS, type PreviewView, parsePreviewView } from "~/print/preview/preview-view";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PDF = Buffer.from("%PDF-1.4").toString("base64");
const LONG_NAME = "a-scanned-letter-to-all-customers-of-the-northern-branch-final-v3.pdf";
const JANE = {
  ...{ recipient_firstname: "Jane", recipient_lastname: "Smith", recipient_address1: "14 Mill Lane" },
  ...{
    recipient_city: "Portland",
    recipient_state: "OR",
    recipient_postcode: "97205",
    recipient_country: "US",
  },
};
const CARD = {
  test: "true",
  size: "6x9",
  message: "Dear {firstname}, come on {day}.",
  clearzone: "true",
  ...JANE,
};

function buildState(
  values: Record<string, string>,
  { kind = "postcard", ...source }: Partial<Parameters<typeof buildPreviewState>[0]> = {},
): PreviewState {
  return buildPreviewState({ kind, values, files: {}, recipients: [], home: "US", ...source });
}

function draw(state: PreviewState, view?: Partial<PreviewView>, letter: FirstLetter | null = null) {
  const html = renderToStaticMarkup(
    createElement(Preview, {
      state,
      view: { side: "back", zoom: "fit", layers: LAYERS, ...view },
      letter,
      formId: "request",
      updateAction: "/?index",
    }),
  );
  const decode = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&#x27;", "'");
  return {
    html,
    images: [...html.matchAll(/role="img" aria-label="([^"]*)"/g)].map(([, label]) => decode(label ?? "")),
    /** The text that each drawing shows in place of an undrawable part. */
    notes: html
      .split('role="img"')
      .slice(1)
      .map((drawing) =>
        [
          ...drawing.matchAll(
            /<text x="([-\d.]+)" y="([-\d.]+)" text-anchor="middle" dominant-baseline="central"[^>]*>([^<]*)</g,
          ),
        ].map(([, x, y, text]) => ({ x: Number(x), y: Number(y), text: decode(text ?? "") })),
      ),
    words: [...html.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => decode(text ?? "")),
  };
}

async function layOut(text: string, home: "US" | "GB" = "US") {
  const request = { text, page_size: findPageSize(home) };
  const state = buildState({ content: text, ...JANE }, { kind: "letter", home });
  return { state, letter: { request, drawn: await drawLetter(text, request.page_size) } };
}

const listCodes = (state: PreviewState) => listFindings(state, null).map(({ code }) => code);

describe("the preview of a postcard", () => {
  it("describes the back in its alternative text", () => {
    expect(draw(buildState(CARD)).images).toEqual([
      "Front of a 6x9 postcard: no artwork; a white border. Stamped SPECIMEN.",
      'Back of a 6x9 postcard: message in Arial 12 pt black, "Dear Jane, come on {day}."; ' +
        "addressed to Jane Smith, 14 Mill Lane, Portland OR 97205. Stamped SPECIMEN.",
    ]);
  });

  it("numbers its clear zones in a readable size on a small drawing, and names them below it", () => {
    const { html } = draw(buildState(CARD));
    expect(html).toContain("Clear zones (approximate): 1 address, 2 barcode, 3 postage");
    const back = html.slice(html.indexOf('aria-label="Back'));
    const widthPt = Number(/viewBox="[-\d.]+ [-\d.]+ ([\d.]+)/.exec(html)?.[1]);
    const numberPt = Number(/font-size="([\d.]+)" font-weight="700"[^>]*>1</.exec(back)?.[1]);
    // Two adjacent sides are at least 220 px wide each.
    expect((numberPt / widthPt) * 220).toBeGreaterThanOrEqual(10);
  });

  it("leaves out hidden layers, but keeps their checkboxes", () => {
    const { words, images, html } = draw(buildState(CARD), { layers: ["trim", "address"] });
    expect(words).toContain("Jane Smith");
    expect(words).not.toContain("Dear Jane, come on {day}.");
    expect(html).not.toContain("Clear zones (approximate)");
    expect(images.join()).not.toContain("message");
    const ticked = [...html.matchAll(/<input type="checkbox"[^>]*>/g)].map(([box]) => box);
    const isTicked = (layer: string) =>
      ticked.find((box) => box.includes(`value="${layer}"`))?.includes("checked");
    expect(LAYERS.filter(isTicked)).toEqual(["trim", "address"]);
  });

  it("draws the message in its font, size and colour, each line as wide as measured", () => {
    const { html } = draw(buildState({ ...CARD, font: "Georgia", font_size: "16", font_colour: "navy" }));
    expect(html).toMatch(
      /<g font-family="Georgia[^"]*" font-size="16" fill="navy"><text [^>]*textLength="[\d.]+"/,
    );
  });

  it("ignores a colour that is not just a colour", () => {
    const { html } = draw(buildState({ ...CARD, font_colour: "url(https://example.com/x)" }));
    expect(html).not.toContain("example.com");
  });

  it("shows the front's image as a data address, at the bleed with no padding", () => {
    const files = { front: { name: "winter.png" } };
    const state = buildState({ ...CARD, front: PNG, padding: "0" }, { files });
    const { html, images } = draw(state, { side: "front" });
    expect(html).toContain(`<image href="data:image/png;base64,${PNG}" x="-8.5" y="-8.5"`);
    expect(images[0]).toBe("Front of a 6x9 postcard: image winter.png. Stamped SPECIMEN.");
  });

  it("does not download artwork from a URL, and says that the provider does", () => {
    const state = buildState({ ...CARD, front: "https://example.com/a.jpg" });
    const { html, words, images } = draw(state, { side: "front" });
    expect(html).not.toContain("<image");
    expect(words).toContain("https://example.com/a.jpg");
    expect(images[0]).toContain("artwork from https://example.com/a.jpg");
  });
});

describe("findings", () => {
  it("are empty for a correct card", () => {
    expect(listCodes(buildState({ ...CARD, message: "Dear {firstname}" }))).toEqual([]);
  });

  it("count the lines that will be cut", () => {
    const lines = (count: number) => buildState({ ...CARD, message: "line\n".repeat(count).trim() });
    const most = Array.from({ length: 60 }, (_, at) => at + 1).findLast(
      (n) => listCodes(lines(n)).length === 0,
    );
    expect(most).toBeGreaterThan(15);
    const [finding, ...others] = listFindings(lines((most ?? 0) + 3), null);
    expect(finding).toMatchObject({ code: "message_cut", tone: "warn", text: formatCutLines(3) });
    expect(others).toEqual([]);
    expect(draw(lines((most ?? 0) + 3)).words).toContain("cut");
  });

  it("list merge variables without a value", () => {
    expect(listFindings(buildState({ ...CARD, message: "{day} {code}" }), null)).toEqual([
      { code: "no_value", tone: "warn", text: formatNoValue(["day", "code"]), field: "message" },
    ]);
    const forNobody = buildState({ size: "4x6", front: PNG, message: "{firstname}" });
    expect(listCodes(forNobody)).toEqual(["filled_by_recipient"]);
  });

  it("report white text on white paper, but not on artwork", () => {
    const white = { ...CARD, message: "Hello", font_colour: "white" };
    expect(listCodes(buildState(white))).toEqual(["white_on_white"]);
    expect(listCodes(buildState({ ...white, back: PNG }))).toEqual([]);
  });

  it("say when only the provider knows the address", () => {
    const state = buildState({ size: "6x9", recipient: "2004", recipient_firstname: " " });
    expect(listCodes(state)).toEqual(["unlisted_recipient"]);
    expect(draw(state).words).toContain("Recipient 2004");
  });
});

describe("the preview of a letter", () => {
  it("has the pages that the server laid out, and counts those that it does not draw", async () => {
    const { state, letter } = await layOut("line\n".repeat(39 + 45 * 11));
    const long = draw(state, {}, letter);
    expect(long.images).toHaveLength(10);
    expect(long.html).toContain(formatHiddenPages(2));
    expect(long.html).toContain(formatTooManyLetterPages(12, 10));
  });

  it("has the address on the first page only, above the text", async () => {
    const { state, letter } = await layOut("Dear Jane\n".repeat(60), "GB");
    const { window } = findLetterPage("GB");
    expect(placeLetterText("GB", 1).y).toBeGreaterThan(window.y + window.height);
    expect(placeLetterText("GB", 2).y).toBeLessThan(window.y + window.height);
    const { images, words } = draw(state, {}, letter);
    expect(images[0]).toContain("addressed to Jane Smith");
    expect(images[1]).not.toContain("addressed to");
    expect(images[1]).toContain("Dear Jane Dear Jane");
    expect(words.filter((word) => word === "Jane Smith")).toHaveLength(1);
  });

  it("writes a PDF's name and pages below the address, without the middle of a long name", () => {
    const files = { file: { name: LONG_NAME, facts: { kind: "pdf", bytes: 1, pages: 3 } as const } };
    const state = buildState({ file: PDF, test: "true", ...JANE }, { kind: "letter", files });
    const { images, notes } = draw(state);
    const [first = []] = notes;
    expect(images).toHaveLength(3);
    const { window } = findLetterPage("US");
    for (const { y } of first) expect(y).toBeGreaterThan(window.y + window.height);
    expect(first.map(({ text }) => text)).toEqual(["PDF, 3 pages", "a-scanned-letter-t…ranch-final-v3.pdf"]);
  });
});

it.each([
  [{ file: "https://example.com/l.pdf" }, "https://example.com/l.pdf"],
  [{ file: "R0lGODlh" }, "file is not a JPG, PNG or PDF"],
  [{ template: "21005" }, "Template 21005"],
])("a letter that cannot be drawn is one page with the known facts: %j", (values, words) => {
  const drawn = draw(buildState(values, { kind: "letter" }));
  expect(drawn.images).toHaveLength(1);
  expect(drawn.words).toContain(words);
});

it("a posted view is the chosen one, and the first one when fields are missing or unknown", () => {
  const parse = (names: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(names)) form.append(`preview.${name}`, value);
    return parsePreviewView(form);
  };
  const chosen = { side: "front", zoom: "print" };
  expect(parse({ ...chosen, shown: "1", layer: "safe" })).toEqual({ ...chosen, layers: ["safe"] });
  expect(parse({ shown: "1" }).layers).toEqual([]);
  expect(parse({ side: "top", zoom: "9" })).toEqual({ side: "back", zoom: "fit", layers: LAYERS });
});
