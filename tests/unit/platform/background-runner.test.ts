import { afterEach, beforeEach, describe, expect, type Mock, test, vi } from "vitest";
import { type BackgroundTask, runBatch, runTasks } from "~/platform/background-runner.server";
import { log } from "~/platform/log.server";
import { fail, succeed } from "~/platform/outcome";

type Row = { id: string };
type TestTask = BackgroundTask & { claim: Mock<BackgroundTask["claim"]>; work: Mock<BackgroundTask["work"]> };

const INTERVAL_MS = 1000;
const FAILED = fail("database_unavailable", "out");
let stop: () => Promise<void>;

/** A task that returns its rows batch by batch; afterwards nothing is due. */
function makeTask(batches: Row[][] = [], changes: Partial<BackgroundTask> = {}): TestTask {
  const left = [...batches];
  return {
    name: "test_task",
    batchSize: 2,
    atOnce: 2,
    ...changes,
    claim: vi.fn(changes.claim ?? (async () => succeed(left.shift() ?? []))),
    work: vi.fn(changes.work ?? (async () => succeed(null))),
  };
}

function start(...tasks: BackgroundTask[]): void {
  ({ stop } = runTasks(tasks, INTERVAL_MS));
}

const pass = (intervals: number) => vi.advanceTimersByTimeAsync(intervals * INTERVAL_MS);
const rows = (...ids: string[]) => ids.map((id) => ({ id }));
const never = () => new Promise<never>(() => undefined);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(log, "warn").mockReturnValue();
  vi.spyOn(log, "error").mockReturnValue();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the runner", () => {
  test("runs a task once per interval, for the first time after one interval", async () => {
    const task = makeTask();
    start(task);
    await pass(0.9);
    expect(task.claim).toHaveBeenCalledTimes(0);
    await pass(2.2);
    expect(task.claim).toHaveBeenCalledTimes(3);
    expect(task.claim).toHaveBeenLastCalledWith(2);
    await stop();
  });

  test.each([
    ["hangs", never],
    ["fails", () => Promise.reject(new Error("bug"))],
  ])("a task that %s does not delay another", async (_, claim) => {
    const other = makeTask();
    start(makeTask([], { claim }), other);
    await pass(3);
    expect(other.claim).toHaveBeenCalledTimes(3);
  });

  test("a task never overlaps itself", async () => {
    const task = makeTask([], { claim: never });
    start(task);
    await pass(10);
    expect(task.claim).toHaveBeenCalledTimes(1);
  });

  test("a full batch is followed by the next one at once, an incomplete one after the interval", async () => {
    const task = makeTask([rows("1", "2"), rows("3", "4"), rows("5")]);
    start(task);
    await pass(1.5);
    expect(task.work.mock.calls.map(([{ id }]) => id)).toEqual(["1", "2", "3", "4", "5"]);
    expect(task.claim).toHaveBeenCalledTimes(3);
    await pass(1.5);
    expect(task.claim).toHaveBeenCalledTimes(4);
    await stop();
  });

  test("after a full batch of which every row failed the next one waits for the interval", async () => {
    const task = makeTask([rows("1", "2"), rows("3", "4")], { work: async () => FAILED });
    start(task);
    await pass(1.5);
    expect(task.claim).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(task.claim).toHaveBeenCalledTimes(2);
    await stop();
  });

  test("a task that throws backs off, and returns to its interval once it succeeds", async () => {
    let broken = true;
    const times: number[] = [];
    const claim = async () => {
      times.push(Date.now());
      if (broken) throw new TypeError("bug");
      return succeed([]);
    };
    start(makeTask([], { claim }));
    await pass(1 + 1 + 2 + 4 + 8 + 8);
    const waits = times.map((at, index) => (at - (times[index - 1] ?? at)) / INTERVAL_MS);
    expect(waits).toEqual([0, 1, 2, 4, 8, 8]);
    const failed = { task: "test_task", errorName: "TypeError" };
    expect(log.error).toHaveBeenLastCalledWith("background.task_failed", failed);
    broken = false;
    await pass(8 + 1);
    expect((times.at(-1) ?? 0) - (times.at(-2) ?? 0)).toBe(INTERVAL_MS);
    await stop();
  });

  test("stopping starts no more work and waits for running work", async () => {
    const finish: (() => void)[] = [];
    const work = () =>
      new Promise<ReturnType<typeof succeed>>((resolve) => finish.push(() => resolve(succeed(null))));
    const busy = makeTask([rows("1", "2"), rows("3")], { work });
    const idle = makeTask();
    start(busy, idle);
    await pass(1);
    let stopped = false;
    const stopping = stop().then(() => {
      stopped = true;
    });
    await pass(5);
    expect(stopped).toBe(false);
    for (const end of finish) end();
    await stopping;
    await pass(5);
    expect(busy.claim).toHaveBeenCalledTimes(1);
    expect(idle.claim).toHaveBeenCalledTimes(1);
  });
});

describe("a batch", () => {
  test("continues after a row that failed or threw, and logs it by its id", async () => {
    const work = async ({ id }: Row) => {
      if (id === "1") throw new TypeError("bug");
      return id === "2" ? FAILED : succeed(null);
    };
    const task = makeTask([rows("1", "2", "3")], { batchSize: 3, atOnce: 1, work });
    expect(await runBatch(task)).toEqual({ claimed: 3, done: 1 });
    const thrown = { task: "test_task", rowId: "1", errorName: "TypeError" };
    expect(log.error).toHaveBeenCalledWith("background.row_failed", thrown);
    const failed = { task: "test_task", rowId: "2", failureCode: "database_unavailable" };
    expect(log.warn).toHaveBeenCalledWith("background.row_failed", failed);
  });

  test("that was not full is followed by the cleanup", async () => {
    const cleanUp = vi.fn(async () => succeed(null));
    const task = makeTask([rows("1", "2"), rows("3")], { cleanUp });
    await runBatch(task);
    expect(cleanUp).toHaveBeenCalledTimes(0);
    await runBatch(task);
    expect(cleanUp).toHaveBeenCalledTimes(1);
  });

  test("is empty when the rows could not be claimed", async () => {
    const task = makeTask([], { claim: async () => FAILED });
    expect(await runBatch(task)).toEqual({ claimed: 0, done: 0 });
    expect(task.work).not.toHaveBeenCalled();
  });
});
