import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createElement } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { PageParts } from "~/platform/http/page-parts.server";

const write = (parts: PageParts, text: string) => parts.write(Buffer.from(text));

describe("the parts of a page", () => {
  test("are those between two flushes, and the rest at the end", async () => {
    const parts = new PageParts();
    const read: string[] = [];
    parts.on("data", (part: Buffer) => read.push(part.toString()));
    for (const text of ["<html>", "<ul>", "</ul>"]) write(parts, text);
    parts.flush();
    parts.flush();
    write(parts, "<script>");
    write(parts, "</script>");
    parts.end(Buffer.from("</html>"));
    await buffer(parts.pipe(new PassThrough()));
    expect(read).toEqual(["<html><ul></ul>", "<script></script></html>"]);
  });

  test("are complete for any page size and reading speed", async () => {
    const parts = new PageParts();
    const text = "0123456789".repeat(400_000);
    for (let from = 0; from < text.length; from += 2_048) write(parts, text.slice(from, from + 2_048));
    parts.end();
    const slowly = Readable.from(parts, { highWaterMark: 1 });
    expect((await buffer(slowly)).toString()).toBe(text);
  });

  test("have no NUL when React's buffer ends within a character", async () => {
    const values = Array.from({ length: 500 }, (_, at) => "é€😀".repeat(1 + (at % 5)));
    const fields = values.map((value, key) => createElement("input", { key, defaultValue: value }));
    const parts = new PageParts();
    renderToPipeableStream(createElement("form", null, fields)).pipe(parts);
    const html = (await buffer(parts.pipe(new PassThrough()))).toString();
    expect(html.match(/\0/g)).toBeNull();
    expect(Array.from(html.matchAll(/value="(.*?)"/g), ([, value]) => value)).toEqual(values);
  });
});
