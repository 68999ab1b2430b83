import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { listFindings } from "~/print/layout/findings";
import { findLetterPage } from "~/print/layout/geometry";
import { layoutLetterPage, layoutLetterText } from "~/print/layout/letter-layout";
import { buildPreviewState, type PreviewState } from "~/print/layout/preview-content";
import { Preview } from "~/print/preview/preview";
import { LAYERS, type PreviewView, parsePreviewView } from "~/print/preview/preview-view";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PDF = Buffer.from("%PDF-1.4").toString("base64");
const JANE = {
  recipient_firstname: "Jane",
  recipient_lastname: "Smith",
  recipient_address1: "14 Mill Lane",
  recipient_city: "Portland",
  recipient_state: "OR",
  recipient_postcode: "97205",
  recipient_country: "US",
};
const CARD = {
  test: "true",
  size: "6x9",
  message: "Dear {firstname}, come on {day}.",
  clearzone: "true",
  ...JANE,
};

function readState(
  values: Record<string, string>,
  { kind = "postcard", ...source }: Partial<Parameters<typeof buildPreviewState>[0]> = {},
): PreviewState {
  return buildPreviewState({ kind, values, files: {}, recipients: [], home: "US", ...source });
}

function draw(state: PreviewState, view?: Partial<PreviewView>) {
  const html = renderToStaticMarkup(
    createElement(Preview, {
      state,
      view: { side: "back", zoom: "fit", layers: LAYERS, ...view },
      formId: "request",
      updateAction: "/?index",
    }),
  );
  const decode = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&#x27;", "'");
  return {
    html,
    images: [...html.matchAll(/role="img" aria-label="([^"]*)"/g)].map(([, label]) => decode(label ?? "")),
    words: [...html.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => decode(text ?? "")),
  };
}

describe("a postcard's proof", () => {
  it("says in words what is on the back", () => {
    expect(draw(readState(CARD)).images).toEqual([
      'Back of a 6x9 postcard: message in Arial 12 pt black, "Dear Jane, come on {day}."; ' +
        "addressed to Jane Smith, 14 Mill Lane, Portland OR 97205. Stamped SPECIMEN.",
    ]);
  });

  it("shows message, address, zones and stamp", () => {
    const { words } = draw(readState(CARD));
    expect(words).toEqual(
      expect.arrayContaining([
        "Dear Jane, come on {day}.",
        "Jane Smith",
        "Portland OR 97205",
        "clear zone: address (approximate)",
        "SPECIMEN",
      ]),
    );
  });

  it("has no stamp when it is live", () => {
    const { words, images } = draw(readState({ ...CARD, test: "" }));
    expect(words).not.toContain("SPECIMEN");
    expect(images[0]).not.toContain("SPECIMEN");
  });

  it("leaves out each layer that is switched off, and keeps its place in the form", () => {
    const { words, images, html } = draw(readState(CARD), { layers: ["trim", "address"] });
    expect(words).toContain("Jane Smith");
    expect(words).not.toContain("Dear Jane, come on {day}.");
    expect(words.join()).not.toContain("clear zone");
    expect(images[0]).not.toContain("message");
    const ticked = [...html.matchAll(/<input type="checkbox"[^>]*>/g)].map(([box]) => box);
    const isTicked = (layer: string) =>
      ticked.find((box) => box.includes(`value="${layer}"`))?.includes("checked");
    expect(LAYERS.filter(isTicked)).toEqual(["trim", "address"]);
  });

  it("draws the message in its font, size and colour, each line as wide as measured", () => {
    const { html } = draw(readState({ ...CARD, font: "Georgia", font_size: "16", font_colour: "navy" }));
    expect(html).toMatch(
      /<g font-family="Georgia[^"]*" font-size="16" fill="navy"><text [^>]*textLength="[\d.]+"/,
    );
  });

  it("takes no colour that is more than a colour", () => {
    const { html } = draw(readState({ ...CARD, font_colour: "url(https://example.com/x)" }));
    expect(html).not.toContain("example.com");
  });

  it("shows the front's image as a data address, at the bleed with no padding", () => {
    const state = readState(
      { ...CARD, front: PNG, padding: "0" },
      { files: { front: { name: "winter.png" } } },
    );
    const { html, images } = draw(state, { side: "front" });
    expect(html).toContain(`<image href="data:image/png;base64,${PNG}" x="-8.5" y="-8.5"`);
    expect(images).toEqual(["Front of a 6x9 postcard: image winter.png. Stamped SPECIMEN."]);
  });

  it("says before JavaScript that artwork is a PDF", () => {
    const state = readState({ ...CARD, front: PDF }, { files: { front: { name: "a.pdf", pages: 1 } } });
    expect(draw(state, { side: "front" }).words).toEqual(expect.arrayContaining(["PDF, 1 page", "a.pdf"]));
  });

  it("does not fetch artwork from an address, and says who does", () => {
    const { html, words, images } = draw(readState({ ...CARD, front: "https://example.com/a.jpg" }), {
      side: "front",
    });
    expect(html).not.toContain("<image");
    expect(words).toContain("https://example.com/a.jpg");
    expect(images[0]).toContain("artwork from https://example.com/a.jpg");
  });

  it("names a template that only the provider can draw", () => {
    const state = readState({ ...CARD, template: "21001" });
    expect(draw(state, { side: "front" }).words).toContain("Template 21001");
  });

  it("asks for a size where there is none", () => {
    const { html, images } = draw(readState({ ...CARD, size: "" }));
    expect(images).toEqual([]);
    expect(html).toContain("Choose a size");
  });

  it("carries no inline style, which the page's policy would block", () => {
    expect(draw(readState({ ...CARD, signature: PNG, back: PNG })).html).not.toContain("style=");
  });
});

describe("findings", () => {
  const listTexts = (state: PreviewState) => listFindings(state).map((finding) => finding.text);

  it("are none for a card that is in order", () => {
    expect(listTexts(readState({ ...CARD, message: "Dear {firstname}" }))).toEqual([]);
  });

  it("count the lines that would be cut", () => {
    const lines = (count: number) => readState({ ...CARD, message: "line\n".repeat(count).trim() });
    const most = Array.from({ length: 60 }, (_, at) => at + 1).findLast(
      (n) => listTexts(lines(n)).length === 0,
    );
    expect(most).toBeGreaterThan(15);
    expect(listTexts(lines((most ?? 0) + 1))).toEqual(["1 line does not fit and would be cut."]);
    expect(listTexts(lines((most ?? 0) + 3))).toEqual(["3 lines do not fit and would be cut."]);
    expect(draw(lines((most ?? 0) + 3)).words).toContain("cut");
  });

  it("list merge variables that nothing fills", () => {
    expect(listTexts(readState({ ...CARD, message: "{day} {code}" }))).toEqual([
      "Nothing fills {day}, {code}: it would be printed as it stands.",
    ]);
  });

  it("see white text on white paper, but not on artwork", () => {
    const white = { ...CARD, message: "Hello", font_colour: "white" };
    expect(listTexts(readState(white))).toEqual(["White text on white paper cannot be seen."]);
    expect(listTexts(readState({ ...white, back: PNG }))).toEqual([]);
  });

  it("say when only the provider knows the address", () => {
    const state = readState({ size: "6x9", recipient: "2004", recipient_firstname: " " });
    expect(listTexts(state)).toEqual([
      "Recipient 2004 is not in the loaded list; the provider prints the address it holds.",
    ]);
    expect(draw(state).words).toContain("Recipient 2004");
  });

  it("find the chosen recipient in the list, unless new details take its place", () => {
    const recipients = [{ id: "7", firstname: "Ada", city: "Leeds", postcode: "LS1", country: "GB" }];
    expect(draw(readState({ size: "4x6", recipient: "7" }, { recipients })).words).toContain("Ada");
    const typed = readState({ ...CARD, recipient: "7" }, { recipients });
    expect(draw(typed).words).not.toContain("Ada");
  });
});

describe("a letter's proof", () => {
  it("sets text on as many pages as it takes, and counts those that it does not draw", () => {
    const text = (lines: number) =>
      readState({ content: "line\n".repeat(lines), ...JANE }, { kind: "letter" });
    expect(draw(text(39)).images).toHaveLength(1);
    expect(draw(text(40)).images).toHaveLength(2);
    const long = draw(text(39 + 45 * 11));
    expect(long.images).toHaveLength(10);
    expect(long.html).toContain("other 2 pages are");
    expect(listFindings(text(39 + 45 * 11)).map(({ text }) => text)).toContain(
      "12 pages: the provider documents 10 as the most.",
    );
  });

  it("starts the text below the address, which is on the first page alone", () => {
    const state = readState(
      { content: "Dear {firstname}\n".repeat(60), ...JANE },
      { kind: "letter", home: "GB" },
    );
    const { window } = findLetterPage("GB");
    const [text = ""] = layoutLetterText(state).pages;
    const [line] = layoutLetterPage(text, 1, "GB").lines;
    expect((line?.baseline ?? 0) - 12).toBeGreaterThan(window.y + window.height);
    expect(layoutLetterPage(text, 2, "GB").lines[0]?.baseline).toBeLessThan(window.y + window.height);
    const [first, second] = draw(state).images;
    expect(first).toContain("addressed to Jane Smith");
    expect(second).not.toContain("addressed to");
    expect(draw(state).words.filter((word) => word === "Jane Smith")).toHaveLength(1);
  });

  it("says that a file is a PDF, and how many pages were counted", () => {
    const state = readState(
      { file: PDF, test: "true" },
      { kind: "letter", files: { file: { name: "l.pdf", pages: 3 } } },
    );
    const { images, words } = draw(state);
    expect(images).toHaveLength(3);
    expect(words).toContain("PDF, 3 pages");
  });
});

describe("a letter from elsewhere", () => {
  it.each([
    [{ file: "https://example.com/l.pdf" }, "https://example.com/l.pdf"],
    [{ file: "R0lGODlh" }, "file is no JPG, PNG or PDF"],
    [{ template: "21005" }, "Template 21005"],
  ])("is one page that says what is known of %j", (values, words) => {
    const drawn = draw(readState(values, { kind: "letter" }));
    expect(drawn.images).toHaveLength(1);
    expect(drawn.words).toContain(words);
  });
});

describe("a posted view", () => {
  function post(...entries: [string, string][]): FormData {
    const form = new FormData();
    for (const [name, value] of entries) form.append(name, value);
    return form;
  }

  it("is what was chosen", () => {
    const form = post(
      ["preview.shown", "1"],
      ["preview.side", "front"],
      ["preview.zoom", "print"],
      ["preview.layer", "safe"],
    );
    expect(parsePreviewView(form)).toEqual({ side: "front", zoom: "print", layers: ["safe"] });
  });

  it("may have no layer at all, and is as at first without the proof's fields or with strange ones", () => {
    expect(parsePreviewView(post(["preview.shown", "1"])).layers).toEqual([]);
    expect(parsePreviewView(post(["preview.side", "top"], ["preview.zoom", "9"]))).toEqual({
      side: "back",
      zoom: "fit",
      layers: LAYERS,
    });
  });
});
