import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWebhookReceiver } from "../../emulators/webhook-receiver";
import { ANA } from "../../support/console/payment-console";
import { drain } from "../../support/drain";
import { readLetter } from "../../support/files/letter-reader";
import { setUpMailConsole, setUpPostgres } from "../../support/fixtures";

/** The copy of the PDF of a mailed piece. Background tasks run only when a test calls them. */

const PDF = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(300, 65)]);

/** The provider's files; one that is not in `files` is deleted. */
const files = new Map<string, Buffer>();
const postgres = await setUpPostgres();
let copy: () => Promise<number>;
let cleanUp: () => Promise<unknown>;

const server = await startWebhookReceiver();
server.answer(({ path }, reply) => reply.writeHead(files.has(path) ? 200 : 404).end(files.get(path)));
const app = await setUpMailConsole(await postgres.createDatabase());
beforeAll(async () => {
  const { copyProviderPdfs } = await import("~/pieces/piece-pdf.server");
  copy = () => drain(copyProviderPdfs);
  cleanUp = async () => copyProviderPdfs.cleanUp?.();
  await app.grant(ANA.id, 50);
});
afterAll(() => server?.close());

let item = 700_000;
/** Mails a postcard whose answer names this PDF; returns the send's id. */
async function mailWith(pdf: unknown): Promise<string> {
  const data = { pdf, id: item++, created: "2026-01-05", format: "4x6", cost: "0.99", status: "received" };
  const body = JSON.stringify({ success: true, data });
  app.provider.fail({ kind: "respond", path: "postcards/create", body });
  return (await app.mail(ANA.id)).id;
}
const open = (path: string) => fetch(app.origin + path, { headers: { Cookie: app.cookie } });
const countAsked = (path: string) => server.received.filter((one) => one.path === path).length;
const findCopy = (sendId: string) => app.db((db) => db.piecePdf.findUnique({ where: { sendId } }));
const age = (id: string, minutes: number) => {
  const past = new Date(Date.now() - minutes * 60_000);
  return app.db(async (db) => {
    await db.send.update({ where: { id }, data: { createdAt: past, settledAt: past } });
    await db.piecePdf.updateMany({ where: { sendId: id }, data: { triedAt: past } });
  });
};

test.each<[string, (id: string) => Promise<unknown>]>([
  ["in the background", () => copy()],
  ["when a person opens it", (id) => open(`/sends/${id}/piece.pdf`)],
])("is copied %s, and remains when the provider's link has expired", async (how, act) => {
  const path = `/${how.replaceAll(" ", "-")}.pdf`;
  files.set(path, PDF);
  const id = await mailWith(server.origin + path);
  await act(id);
  files.delete(path);
  const reply = await open(`/sends/${id}/piece.pdf`);
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(PDF);
  expect(countAsked(path)).toBe(1);
  expect(await (await open(`/sends/${id}`)).text()).toContain(`/sends/${id}/piece.pdf`);
});

test("one that cannot be fetched is retried later, not at once", async () => {
  const id = await mailWith(`${server.origin}/late.pdf`);
  await copy();
  files.set("/late.pdf", PDF);
  await copy();
  expect(countAsked("/late.pdf")).toBe(1);
  await app.db((db) =>
    db.piecePdf.update({ where: { sendId: id }, data: { triedAt: new Date(Date.now() - 61_000) } }),
  );
  await copy();
  expect(await findCopy(id)).toMatchObject({ attempts: 2, pdf: expect.anything() });
  expect(countAsked("/late.pdf")).toBe(2);
});

test("is deleted after 90 days; the proof of mailing keeps its SHA-256", async () => {
  files.set("/old.pdf", PDF);
  const id = await mailWith(`${server.origin}/old.pdf`);
  await copy();
  const prove = async () => {
    const reply = await open(`/sends/${id}/proof.pdf`);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    return new Uint8Array(await reply.arrayBuffer());
  };
  const proof = await prove();
  expect(Buffer.compare(proof, await prove())).toBe(0);
  const hash = createHash("sha256").update(PDF).digest("hex");
  const [row] = await app.db((db) => db.creditTransaction.findMany({ where: { causeKey: id } }));
  const text = (await readLetter(proof)).map((page) => page.text.replace(/\s+/g, " ")).join(" ");
  for (const part of [hash, row?.hash, `mailroom-${id}`, "Maria Silva", ANA.id]) expect(text).toContain(part);
  files.delete("/old.pdf");
  await age(id, 91 * 1440);
  await cleanUp();
  expect(await findCopy(id)).toMatchObject({ pdf: null, sha256: hash });
  expect((await readLetter(await prove())).map((page) => page.text).join()).toContain(hash);
});

test("one that is deleted, invalid, on another host or missed is reported", async () => {
  files.set("/page.pdf", Buffer.from("<html>"));
  const cases: [unknown, number, RegExp][] = [
    [`${server.origin}/gone.pdf`, 404, /link to this PDF has expired, and no copy was made/],
    [`${server.origin}/page.pdf`, 502, /is not a PDF/],
    ["https://elsewhere.example.com/x.pdf", 404, /gave no PDF of this piece/],
    [null, 404, /gave no PDF of this piece/],
    [7, 404, /gave no PDF of this piece/],
  ];
  for (const [pdf, status, words] of cases) {
    const reply = await open(`/sends/${await mailWith(pdf)}/piece.pdf`);
    expect([reply.status, await reply.text()], String(pdf)).toEqual([status, expect.stringMatching(words)]);
  }
  const missed = await mailWith(`${server.origin}/missed.pdf`);
  await age(missed, 31);
  expect(await (await open(`/sends/${missed}`)).text()).toContain("no copy was made in time");
  for (const odd of ["none", "%00", "a%27b", "x".repeat(300)]) {
    expect((await open(`/sends/${odd}/piece.pdf`)).status, odd).toBe(404);
  }
});
