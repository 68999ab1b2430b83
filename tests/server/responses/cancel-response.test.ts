import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConsoleProcess } from "../../support/console/console-process";
import { type Postgres, startPostgres } from "../../support/database/postgres";
import { ALL_WELL } from "../../support/money/audit";
import { type MoneyBench, openBench } from "../../support/money/bench";
import { askForMail, cookieOf, readCredits } from "../../support/money/calls";

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.close());

describe("POST /api/responses/:id/cancel", () => {
  let bench: MoneyBench;
  let console: ConsoleProcess;
  beforeAll(async () => {
    bench = await openBench({ postgres });
    await bench.grant("payer", 20);
    await bench.grant("other", 20);
    console = await bench.start({ STANNP_TIMEOUT_MS: "20000" });
  });
  afterAll(() => bench?.close());

  async function call(path: string, method: "GET" | "POST", body?: unknown) {
    const reply = await fetch(console.origin + path, {
      method,
      headers: { "Content-Type": "application/json", Cookie: await cookieOf("ana") },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, json: await reply.json() };
  }
  const cancel = (id: string) => call(`/api/responses/${id}/cancel`, "POST", {});
  const find = async (id: string) => (await call(`/api/responses/${id}`, "GET")).json.data ?? null;
  const credits = () => readCredits(console.origin, "ana", "payer");

  /** A live letter and its stored response, both with this id. */
  async function mailLetter(): Promise<{ id: string; mailId: number }> {
    const { json } = await askForMail(console.origin, { type: "letter", payer: "payer" });
    const id = json.send_id ?? "";
    await expect.poll(() => find(id)).not.toBeNull();
    return { id, mailId: (json.data as { id: number }).id };
  }
  async function saveCopy(mailId: number, userId = "payer"): Promise<string> {
    const { json } = await call("/api/responses", "POST", {
      user_id: userId,
      method: "POST",
      path: "letters/create",
      endpoint_category: "letters",
      endpoint_preset: "letters.create",
      status_code: 200,
      response_data: { success: true, data: { id: mailId } },
    });
    return json.data.id;
  }

  test("cancels the piece at the provider, refunds it and flags the response", async () => {
    const { id, mailId } = await mailLetter();
    const before = await credits();
    const cancelled = await cancel(id);
    expect(cancelled).toMatchObject({
      status: 200,
      json: {
        success: true,
        message: "Letter cancelled successfully",
        refund: { creditsRefunded: 2, newBalance: before + 2 },
        warning: null,
        error: null,
      },
    });
    expect(bench.provider.pieces.find((piece) => piece.id === mailId)?.status).toBe("cancelled");
    expect(await find(id)).toMatchObject({
      is_cancelled: true,
      cancelled_at: expect.any(String),
      cancellation_reason: "Cancelled by ana",
    });

    const order = { userId: "payer", mailItemId: String(mailId), type: "letter" };
    const again = await cancel(id);
    expect(again).toMatchObject({ status: 200, json: { success: true, refund: { creditsRefunded: 0 } } });
    expect(again).toEqual(await call("/api/mail/cancel", "POST", order));
    expect(await credits()).toBe(before + 2);
  });

  test("a cancel of a copy cancels its piece; the piece's own response and the copy are both flagged", async () => {
    const { id, mailId } = await mailLetter();
    const copy = await saveCopy(mailId);
    const late = await saveCopy(mailId);
    const before = await credits();
    expect((await cancel(copy)).json).toMatchObject({ success: true, refund: { creditsRefunded: 2 } });
    expect(await find(id)).toMatchObject({ is_cancelled: true });
    expect(await find(copy)).toMatchObject({
      is_cancelled: true,
      cancellation_reason: "Cancelled by ana",
    });

    expect((await cancel(late)).json).toMatchObject({
      success: true,
      message: "This letter was cancelled already; nothing was refunded again",
      refund: { creditsRefunded: 0 },
    });
    expect(await find(late)).toMatchObject({ is_cancelled: true });
    expect(await credits()).toBe(before + 2);
  });

  test("a response that is stored after its piece was cancelled is flagged at once", async () => {
    const { id } = await mailLetter();
    await bench.inBooks(async (db) => {
      await db.responseBodies.deleteMany({ where: { responseId: id } });
      await db.$executeRaw`DELETE FROM responses WHERE id = ${id}`;
    });
    expect(
      (await call("/api/mail/cancel", "POST", { userId: "payer", mailItemId: id, type: "letter" })).status,
    ).toBe(200);
    await bench.inBooks((db) => db.$executeRaw`UPDATE sends SET unsaved_request = ${ASKED} WHERE id = ${id}`);
    await expect.poll(() => find(id)).toMatchObject({ is_cancelled: true });
  });

  test("the books are consistent and agree with the provider", async () => {
    await bench.settle();
    expect(await bench.audit()).toMatchObject(ALL_WELL);
  });
});

const ASKED = JSON.stringify({
  category: "letters",
  preset: "letters.create",
  method: "POST",
  path: "letters/create",
  tags: [],
  requestText: "{}",
});
