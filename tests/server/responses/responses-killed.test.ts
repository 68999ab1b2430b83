import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyCounters } from "~/responses/stats/verify-counters.server";
import type { ConsoleProcess } from "../../support/console/console-process";
import { type Postgres, startPostgres } from "../../support/database/postgres";
import { type MoneyBench, openBench } from "../../support/money/bench";
import { adjustCredits, askForMail, askUntilSettled, cookieOf } from "../../support/money/calls";
import { CREATE_PATH } from "../../support/money/lone-sends";

let postgres: Postgres;
let bench: MoneyBench;
beforeAll(async () => {
  postgres = await startPostgres();
  bench = await openBench({ postgres });
});
afterAll(async () => {
  await bench?.close();
  await postgres?.close();
});

test("a console killed during a live send leaves one stored response, made by another console", async () => {
  const doomed = await bench.start();
  await adjustCredits(doomed.origin, "ana", { action: "add", amount: 20, userId: "auth-ana" });
  const order = {
    type: "letter",
    key: "killed-and-stored-1",
    envelope: { endpoint_preset: "letters.create" },
  } as const;
  const fault = bench.provider.fail({ kind: "hold", moment: "after", path: CREATE_PATH });
  const asked = askForMail(doomed.origin, order);
  await expect.poll(() => fault.hits).toBe(1);
  await doomed.stop("SIGKILL");
  expect((await asked).status).toBeNull();
  fault.release();

  const heirs: [ConsoleProcess, ConsoleProcess] = await Promise.all([bench.start(), bench.start()]);
  const [heir] = heirs;
  const { json } = await askUntilSettled(heir.origin, order);
  const read = async () => {
    const headers = { Cookie: await cookieOf("ana") };
    const reply = await fetch(`${heir.origin}/api/responses?user_id=auth-ana`, { headers });
    return (await reply.json()).data;
  };
  await expect.poll(read).toHaveLength(1);
  const [stored] = await read();
  expect(stored).toMatchObject({
    id: json.response_id,
    send_id: json.send_id,
    endpoint_preset: "letters.create",
    tags: ["auto-saved"],
    response_data: { success: true },
  });
  await askForMail(heir.origin, order);
  expect(await read()).toHaveLength(1);
  expect((await bench.inBooks(verifyCounters)).flatMap(({ problems }) => problems)).toEqual([]);
});
