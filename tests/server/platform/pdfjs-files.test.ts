import { describe, expect, it } from "vitest";
import { PDFJS_FILES } from "~/ui/pdf/pdfjs-files";
import { replyPdfjsFile } from "~/ui/pdf/pdfjs-files.server";

function ask(name: string, headers: Record<string, string> = {}): Promise<Response | null> {
  return replyPdfjsFile(name, new Request(`http://localhost/pdfjs/${name}`, { headers }));
}

describe("the code that draws PDFs", () => {
  it.each(Object.values(PDFJS_FILES))("is served unchanged from its package: %s", async (name) => {
    const reply = await ask(name);
    expect(reply?.status).toBe(200);
    expect(reply?.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
    expect(await reply?.text()).toContain("pdfjsVersion");
  });

  it("is not sent again to a browser that has it", async () => {
    const etag = (await ask(PDFJS_FILES.worker))?.headers.get("ETag") ?? "";
    expect(etag).not.toBe("");
    expect((await ask(PDFJS_FILES.worker, { "If-None-Match": etag }))?.status).toBe(304);
    expect((await ask(PDFJS_FILES.page, { "If-None-Match": etag }))?.status).toBe(200);
  });

  it.each(["", "pdf.mjs", "../../package.json", "..%2Fpackage.json", "constructor"])(
    "does not include other files of that folder: %j",
    async (name) => {
      expect(await ask(name)).toBeNull();
    },
  );
});
