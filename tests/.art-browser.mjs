import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { chromium } from "playwright";

const list = JSON.parse(readFileSync("/tmp/art/list.json", "utf8"));
const srv = createServer((q, r) => {
  if (q.url === "/") {
    r.setHeader("content-type", "text/html");
    return r.end("<script src=/out.js></script>");
  }
  r.end(readFileSync(q.url === "/out.js" ? "/tmp/art/out.js" : "/tmp/art/files" + q.url));
}).listen(0, "127.0.0.1");
await new Promise((r) => srv.on("listening", r));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${srv.address().port}/`);
let bad = 0,
  slow = [];
for (const { n, name, verdict } of list) {
  const [results, ms, size] = await page.evaluate(async (n) => {
    const b = new Uint8Array(await (await fetch("/" + n)).arrayBuffer());
    const out = {};
    let ms = 1e9;
    for (const k in rules) {
      for (let i = 0; i < 2; i++) {
        const s = performance.now();
        out[k] = checkFile(b, rules[k]);
        if (k === "FRONT_BACK") ms = Math.min(ms, performance.now() - s);
      }
    }
    return [out, ms, b.length];
  }, n);
  const ok = Object.values(results).some((r) =>
    Array.isArray(verdict)
      ? !r.ok && JSON.stringify(r.messages) === JSON.stringify(verdict)
      : r.ok &&
        JSON.stringify(
          Object.entries(r.file)
            .filter(([k]) => k !== "bytes")
            .sort(),
        ) === JSON.stringify(Object.entries(verdict).sort()) &&
        r.file.bytes === size,
  );
  if (!ok) {
    bad++;
    console.log("DIFF", name, JSON.stringify(verdict), JSON.stringify(results));
  }
  slow.push([ms, name]);
  const b = readFileSync(`/tmp/art/files/${n}`);
  if (/EXIF|restart/.test(name) && !/endian/.test(name) && b[0] === 0xff)
    console.log(
      name,
      JSON.stringify(verdict),
      await page.evaluate(async (n) => {
        const img = new Image();
        img.src = "/" + n;
        try {
          await img.decode();
          return img.naturalWidth + "x" + img.naturalHeight;
        } catch (e) {
          return e.message;
        }
      }, n),
    );
}
slow.sort((a, b) => b[0] - a[0]);
console.log(
  list.length,
  "files, differing:",
  bad,
  "slowest:",
  slow
    .slice(0, 4)
    .map(([m, n]) => m.toFixed(1) + " " + n)
    .join(", "),
);
await browser.close();
srv.close();
