import { setTimeout as wait } from "node:timers/promises";
import { makeSessionCookie } from "../console/session-cookie";
import type { Postgres } from "../database/postgres";
import { openBench } from "../money/bench";
import { makeCsv, makeList } from "./list-client";
import { readMegabytes } from "./list-storm";

const LOOK_MS = 50;
const ROUNDS = 5;

export interface ImportFigures {
  importMs: number;
  /** More than before the import, in MB. */
  extraMb: number;
  /** The longest that another request waited meanwhile. */
  othersWaitedMs: number;
  /** Median of a page of the list, by its address. */
  pages: Record<string, number>;
}

/** Imports a list of so many rows into a console of its own, and looks at its pages. */
export async function measureImport(postgres: Postgres, rows: number): Promise<ImportFigures> {
  const bench = await openBench({ postgres });
  try {
    await bench.grant("auth-ana", 0);
    const console = await bench.start();
    const cookie = await makeSessionCookie("ana");
    const list = await makeList(console.origin, "ana", "auth-ana");
    const small = await makeList(console.origin, "ana", "auth-ana");
    // What any import loads is not the rows'.
    await small.post("import", { file: new File([makeCsv(100)], "small.csv") });
    await small.page();
    const before = readMegabytes(console);
    const file = new File([makeCsv(rows)], "large.csv");
    let most = before;
    let othersWaitedMs = 0;
    let done = false;
    const watching = (async () => {
      while (!done) {
        const askedAt = performance.now();
        await (await fetch(`${console.origin}/healthz`)).text();
        othersWaitedMs = Math.max(othersWaitedMs, Math.round(performance.now() - askedAt));
        most = Math.max(most, readMegabytes(console));
        await wait(LOOK_MS);
      }
    })();
    const startedAt = performance.now();
    const status = await list.post("import", { file });
    const importMs = Math.round(performance.now() - startedAt);
    done = true;
    await watching;
    if (status !== 303) throw new Error(`the import was answered with ${status}`);
    const pages: Record<string, number> = {};
    for (const path of [
      "/bulk",
      `/bulk/${list.id}`,
      `/bulk/${list.id}?page=${Math.ceil(rows / 50)}`,
      `/bulk/${list.id}?show=ready&page=2`,
      `/bulk/${list.id}?row=${rows}`,
    ]) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const askedAt = performance.now();
        const reply = await fetch(`${console.origin}${path}`, { headers: { Cookie: cookie } });
        await reply.text();
        if (reply.status !== 200) throw new Error(`${path} was answered with ${reply.status}`);
        times.push(performance.now() - askedAt);
      }
      pages[path.replace(list.id, ":id")] = Math.round(times.sort((a, b) => a - b)[2] ?? 0);
    }
    return { importMs, extraMb: most - before, othersWaitedMs, pages };
  } finally {
    await bench.close();
  }
}
