import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConsoleProcess } from "../../support/console/console-process";
import { type Postgres, startPostgres } from "../../support/database/postgres";
import { readLetter } from "../../support/files/letter-reader";
import { type MoneyBench, openBench } from "../../support/money/bench";
import { askForMail, cookieOf } from "../../support/money/calls";

const PDF = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(300, 65)]);

/** The provider's files; one that is not in `files` is deleted. */
const files = new Map<string, Buffer>();
const calls: string[] = [];
let server: Server;
let address: string;
let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
  server = createServer((request, reply) => {
    calls.push(request.url ?? "");
    const file = files.get(request.url ?? "");
    reply.writeHead(file ? 200 : 404).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server?.close();
  await postgres?.close();
});

/** A database with a console for the tests of a `describe`. */
function useConsole(variables: Record<string, string> = {}) {
  let bench: MoneyBench;
  let console: ConsoleProcess;
  beforeAll(async () => {
    bench = await openBench({ postgres });
    await bench.grant("auth-ana", 50);
    console = await bench.start(variables);
  });
  afterAll(() => bench?.close());

  let item = 700_000;
  /** Mails a postcard whose answer names this PDF; returns the send's id. */
  async function mailWith(pdf: unknown): Promise<string> {
    const data = { pdf, id: item++, created: "2026-01-05", format: "4x6", cost: "0.99", status: "received" };
    bench.provider.fail({
      kind: "respond",
      path: "postcards/create",
      body: JSON.stringify({ success: true, data }),
    });
    const { json } = await askForMail(console.origin, { type: "postcard" });
    expect(json).toMatchObject({ error: null, credits: { success: true } });
    return json.send_id ?? "";
  }
  const open = async (path: string, caller: string | null = "ana") =>
    fetch(console.origin + path, {
      headers: caller === null ? {} : { Cookie: await cookieOf(caller) },
      redirect: "manual",
    });
  const age = (id: string, { minutes }: { minutes: number }) =>
    bench.inBooks((db) =>
      db.send.update({ where: { id }, data: { createdAt: new Date(Date.now() - minutes * 60_000) } }),
    );
  const inBooks: MoneyBench["inBooks"] = (work) => bench.inBooks(work);
  return { mailWith, open, age, inBooks };
}

const countAsked = (path: string) => calls.filter((one) => one === path).length;

describe("the PDF of a mailed piece", () => {
  const { mailWith, open, age, inBooks } = useConsole();
  const isCopied = (sendId: string) =>
    expect.poll(() => inBooks((db) => db.piecePdf.count({ where: { sendId, pdf: { not: null } } }))).toBe(1);

  test("is copied in the background, and remains when the provider's link has expired", async () => {
    files.set("/soon.pdf", PDF);
    const id = await mailWith(`${address}/soon.pdf`);
    await isCopied(id);
    files.delete("/soon.pdf");
    const reply = await open(`/sends/${id}/piece.pdf`);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(PDF);
    expect(countAsked("/soon.pdf")).toBe(1);
    expect(await (await open(`/sends/${id}`)).text()).toContain(`/sends/${id}/piece.pdf`);
    const stranger = await open(`/sends/${id}/piece.pdf`, null);
    expect(stranger.headers.get("location")).toContain("/api/auth/login");
  });

  test("that cannot be fetched is retried later, not at once", async () => {
    const id = await mailWith(`${address}/late.pdf`);
    await expect.poll(() => countAsked("/late.pdf")).toBe(1);
    files.set("/late.pdf", PDF);
    const before = countAsked("/late.pdf");
    await inBooks((db) =>
      db.piecePdf.update({ where: { sendId: id }, data: { triedAt: new Date(Date.now() - 61_000) } }),
    );
    await expect
      .poll(() => inBooks((db) => db.piecePdf.findUnique({ where: { sendId: id } })), {
        timeout: 60_000,
      })
      .toMatchObject({ attempts: 2, pdf: expect.anything() });
    expect(countAsked("/late.pdf")).toBe(before + 1);
  });

  test("is deleted after 90 days; the proof of mailing keeps its SHA-256", async () => {
    files.set("/old.pdf", PDF);
    const id = await mailWith(`${address}/old.pdf`);
    await isCopied(id);
    const prove = async () => {
      const reply = await open(`/sends/${id}/proof.pdf`);
      expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/pdf"]);
      return new Uint8Array(await reply.arrayBuffer());
    };
    const proof = await prove();
    expect(Buffer.compare(proof, await prove())).toBe(0);
    const hash = createHash("sha256").update(PDF).digest("hex");
    const [row] = await inBooks((db) => db.creditTransaction.findMany({ where: { causeKey: id } }));
    const pages = await readLetter(proof);
    const text = pages.map((page) => page.text.replace(/\s+/g, " ")).join(" ");
    for (const part of [hash, row?.hash, `mailroom-${id}`, "Ana Lopez", "auth-ana"])
      expect(text).toContain(part);
    await expect
      .poll(() => inBooks((db) => db.auditEvent.count({ where: { what: { startsWith: "export" } } })))
      .toBeGreaterThan(0);
    const old = new Date(Date.now() - 91 * 86_400_000);
    files.delete("/old.pdf");
    await age(id, { minutes: 91 * 1440 });
    await inBooks(async (db) => {
      await db.piecePdf.update({ where: { sendId: id }, data: { triedAt: old } });
      await db.send.update({ where: { id }, data: { settledAt: old } });
    });
    await expect
      .poll(() => inBooks((db) => db.piecePdf.findUnique({ where: { sendId: id } })))
      .toMatchObject({ pdf: null, sha256: hash });
    expect((await readLetter(await prove())).map((page) => page.text).join()).toContain(hash);
    expect(await (await open(`/sends/${id}`)).text()).toContain("kept for 90 days, and this piece is older");
  });
});

describe("without background tasks, the PDF", () => {
  const { mailWith, open, age } = useConsole({ RECONCILE_INTERVAL_MS: "0" });

  test("is copied when a person opens it", async () => {
    files.set("/looked.pdf", PDF);
    const id = await mailWith(`${address}/looked.pdf`);
    expect((await open(`/sends/${id}/piece.pdf`)).status).toBe(200);
    files.delete("/looked.pdf");
    const again = await open(`/sends/${id}/piece.pdf`);
    expect(Buffer.from(await again.arrayBuffer())).toEqual(PDF);
    expect(countAsked("/looked.pdf")).toBe(1);
  });

  test("that is deleted, invalid, or on another host is reported", async () => {
    files.set("/page.pdf", Buffer.from("<html>"));
    const cases: [unknown, number, RegExp][] = [
      [`${address}/gone.pdf`, 404, /link to this PDF has expired, and no copy was made/],
      [`${address}/page.pdf`, 502, /is not a PDF/],
      ["https://elsewhere.example.com/x.pdf", 404, /gave no PDF of this piece/],
      [null, 404, /gave no PDF of this piece/],
      [7, 404, /gave no PDF of this piece/],
    ];
    for (const [pdf, status, words] of cases) {
      const id = await mailWith(pdf);
      const reply = await open(`/sends/${id}/piece.pdf`);
      expect(`${reply.status} ${await reply.text()}`, String(pdf)).toMatch(words);
      expect(reply.status).toBe(status);
    }
    const without = await mailWith(null);
    expect(await (await open(`/sends/${without}`)).text()).toContain("gave no PDF of this piece");
    const missed = await mailWith(`${address}/missed.pdf`);
    await age(missed, { minutes: 31 });
    expect(await (await open(`/sends/${missed}`)).text()).toContain("no copy was made in time");
    for (const odd of ["none", "%00", "a%27b", "x".repeat(300)]) {
      expect((await open(`/sends/${odd}/piece.pdf`)).status, odd).toBe(404);
    }
  });
});
