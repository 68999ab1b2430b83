/** Flat colours, as a designer's first draft has. */
const COLOURS = ["#1d4f91", "#1f7a4a", "#9a6400", "#6d3f8f", "#0f6b78"];

/** The colour of a template's design, "#1d4f91". */
export function findTemplateColour(id: string): string {
  return COLOURS[Number(id) % COLOURS.length] ?? "#1d4f91";
}

/** A picture of a template for people who look at a list of them: its name on a card or a sheet. */
export function drawTemplate(id: string, name: string, size: string): string {
  const sheet = /letter|a4/i.test(size);
  const [width, height] = sheet ? [170, 220] : [240, 160];
  const colour = findTemplateColour(id);
  const text = name.replace(/[<>&"]/g, "");
  const lines = [0, 1, 2, 3].map(
    (at) =>
      `<rect x="16" y="${height * 0.55 + at * 16}" width="${width - 32 - at * 18}" height="5" fill="#cfcac0"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">
<rect width="${width}" height="${height}" fill="#fff"/>
<rect width="${width}" height="${height * 0.42}" fill="${colour}"/>
<text x="16" y="${height * 0.27}" font-family="sans-serif" font-size="17" font-weight="600" fill="#fff">${text}</text>
${lines.join("\n")}
</svg>`;
}
