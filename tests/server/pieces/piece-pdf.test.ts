import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConsoleProcess } from "../../support/console/console-process";
import { type Postgres, startPostgres } from "../../support/database/postgres";
import { type MoneyBench, openBench } from "../../support/money/bench";
import { askForMail, cookieOf } from "../../support/money/calls";

const PDF = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(300, 65)]);

/** The provider's files: what is not in `files` has gone. */
const files = new Map<string, Buffer>();
const asked: string[] = [];
let server: Server;
let address: string;
let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
  server = createServer((request, reply) => {
    asked.push(request.url ?? "");
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

describe("The PDF of what was mailed", () => {
  let bench: MoneyBench;
  beforeAll(async () => {
    bench = await openBench({ postgres });
    await bench.grant("auth-ana", 50);
  });
  afterAll(() => bench?.close());

  let item = 700_000;
  /** Mails a postcard whose answer names this PDF; gives the send's id. */
  async function mailWith(console: ConsoleProcess, pdf: unknown): Promise<string> {
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
  const open = async (console: ConsoleProcess, path: string, caller: string | null = "ana") =>
    fetch(console.origin + path, {
      headers: caller === null ? {} : { Cookie: await cookieOf(caller) },
      redirect: "manual",
    });
  const age = (id: string, { minutes }: { minutes: number }) =>
    bench.inBooks((db) =>
      db.send.update({ where: { id }, data: { createdAt: new Date(Date.now() - minutes * 60_000) } }),
    );
  const countAsked = (path: string) => asked.filter((one) => one === path).length;

  test("is copied in the background, and there when the provider's link has run out", async () => {
    files.set("/soon.pdf", PDF);
    const console = await bench.start();
    const id = await mailWith(console, `${address}/soon.pdf`);
    await expect
      .poll(() => bench.inBooks((db) => db.piecePdf.count({ where: { sendId: id, pdf: { not: null } } })), {
        timeout: 60_000,
      })
      .toBe(1);
    files.delete("/soon.pdf");
    const reply = await open(console, `/sends/${id}/piece.pdf`);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(PDF);
    expect(countAsked("/soon.pdf")).toBe(1);
    expect(await (await open(console, `/sends/${id}`)).text()).toContain(`/sends/${id}/piece.pdf`);
    const stranger = await open(console, `/sends/${id}/piece.pdf`, null);
    expect(stranger.headers.get("location")).toContain("/api/auth/login");
    await console.stop();
  });

  test("is copied when somebody looks at it, where nothing runs in the background", async () => {
    files.set("/looked.pdf", PDF);
    const console = await bench.start({ RECONCILE_INTERVAL_MS: "0" });
    const id = await mailWith(console, `${address}/looked.pdf`);
    expect((await open(console, `/sends/${id}/piece.pdf`)).status).toBe(200);
    files.delete("/looked.pdf");
    const again = await open(console, `/sends/${id}/piece.pdf`);
    expect(Buffer.from(await again.arrayBuffer())).toEqual(PDF);
    expect(countAsked("/looked.pdf")).toBe(1);
    await console.stop();
  });

  test("that is not there any more, is none, or is elsewhere, is said", async () => {
    files.set("/page.pdf", Buffer.from("<html>"));
    const console = await bench.start({ RECONCILE_INTERVAL_MS: "0" });
    const cases: [unknown, number, RegExp][] = [
      [`${address}/gone.pdf`, 404, /link to this PDF has expired, and no copy was made/],
      [`${address}/page.pdf`, 502, /is not a PDF/],
      ["https://elsewhere.example.com/x.pdf", 404, /gave no PDF of this piece/],
      [null, 404, /gave no PDF of this piece/],
      [7, 404, /gave no PDF of this piece/],
    ];
    for (const [pdf, status, words] of cases) {
      const id = await mailWith(console, pdf);
      const reply = await open(console, `/sends/${id}/piece.pdf`);
      expect(`${reply.status} ${await reply.text()}`, String(pdf)).toMatch(words);
      expect(reply.status).toBe(status);
    }
    const without = await mailWith(console, null);
    expect(await (await open(console, `/sends/${without}`)).text()).toContain("gave no PDF of this piece");
    const missed = await mailWith(console, `${address}/missed.pdf`);
    await age(missed, { minutes: 31 });
    expect(await (await open(console, `/sends/${missed}`)).text()).toContain("no copy was made in time");
    for (const odd of ["none", "%00", "a%27b", "x".repeat(300)]) {
      expect((await open(console, `/sends/${odd}/piece.pdf`)).status, odd).toBe(404);
    }
    await console.stop();
  });

  test("that cannot be fetched is asked for again later, not at once", async () => {
    const console = await bench.start();
    const id = await mailWith(console, `${address}/late.pdf`);
    await expect.poll(() => countAsked("/late.pdf")).toBe(1);
    files.set("/late.pdf", PDF);
    const before = countAsked("/late.pdf");
    await bench.inBooks((db) =>
      db.piecePdf.update({ where: { sendId: id }, data: { triedAt: new Date(Date.now() - 61_000) } }),
    );
    await expect
      .poll(() => bench.inBooks((db) => db.piecePdf.findUnique({ where: { sendId: id } })), {
        timeout: 60_000,
      })
      .toMatchObject({ attempts: 2, pdf: expect.anything() });
    expect(countAsked("/late.pdf")).toBe(before + 1);
    await console.stop();
  });

  test("is let go after 90 days", async () => {
    const id = await bench.inBooks(async (db) => {
      const kept = await db.piecePdf.findFirstOrThrow({ where: { pdf: { not: null } } });
      await db.piecePdf.update({
        where: { sendId: kept.sendId },
        data: { triedAt: new Date(Date.now() - 91 * 86_400_000) },
      });
      await db.send.update({
        where: { id: kept.sendId },
        data: { settledAt: new Date(Date.now() - 91 * 86_400_000) },
      });
      return kept.sendId;
    });
    await age(id, { minutes: 91 * 1440 });
    const console = await bench.start();
    await expect.poll(() => bench.inBooks((db) => db.piecePdf.count({ where: { sendId: id } }))).toBe(0);
    expect(await (await open(console, `/sends/${id}`)).text()).toContain(
      "kept for 90 days, and this piece is older",
    );
    await console.stop();
  });
});
