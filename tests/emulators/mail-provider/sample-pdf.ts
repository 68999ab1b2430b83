/** What is printed on a sample: pages of text lines on paper of the given size. */
export interface SamplePdf {
  widthPt: number;
  heightPt: number;
  pages: string[][];
}

/** A small valid PDF 1.4 file with the sample's text in Helvetica. */
export function renderSamplePdf(sample: SamplePdf): Buffer {
  const pageIds = sample.pages.map((_, index) => 4 + index * 2);
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pageIds.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ];
  sample.pages.forEach((lines, index) => {
    const content = drawLines(lines, sample.heightPt);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${sample.widthPt} ${sample.heightPt}] ` +
        `/Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  });
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const tableAt = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join("")}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${tableAt}\n%%EOF\n`;
  // One byte per character, so that the offsets above are byte offsets.
  return Buffer.from(file, "latin1");
}

function drawLines(lines: string[], heightPt: number): string {
  const commands = lines.map((line) => `(${escapeText(line)}) Tj T*`);
  return `BT /F1 12 Tf 16 TL 36 ${heightPt - 48} Td ${commands.join(" ")} ET`;
}

function escapeText(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff]/g, "?").replace(/[\\()]/g, "\\$&");
}
