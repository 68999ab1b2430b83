import { expect, test, vi } from "vitest";
import { Circuit } from "~/pieces/recovery/circuit";

const NOW = 1_000_000;

test("a base URL that does not answer is asked with one piece at a time until it does", () => {
  const circuit = new Circuit();
  for (let calls = 0; calls < 5; calls++) {
    expect(circuit.room(8, NOW)).toBe(8);
    circuit.note("silent", NOW);
  }
  expect([circuit.room(8, NOW), circuit.room(0, NOW)]).toEqual([1, 0]);
  circuit.note("silent", NOW);
  expect(circuit.room(8, NOW)).toBe(1);
  circuit.note("answered", NOW);
  expect(circuit.room(8, NOW)).toBe(8);
});

test("answers among the failures keep it open for all", () => {
  const circuit = new Circuit();
  for (let calls = 0; calls < 20; calls++) circuit.note(calls % 4 === 3 ? "answered" : "silent", NOW);
  expect(circuit.room(8, NOW)).toBe(8);
});

test("one whose rate limit is used up is left alone until it ends", () => {
  const circuit = new Circuit();
  circuit.note({ waitSeconds: 46 }, NOW);
  expect(circuit.room(8, NOW + 45_999)).toBe(0);
  expect(circuit.room(8, NOW + 46_000)).toBe(8);
});

test("a clock that is set back by hours prolongs no rest", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const circuit = new Circuit();
    circuit.note({ waitSeconds: 0 });
    vi.setSystemTime(Date.now() - 5 * 3_600_000);
    expect(circuit.room(8)).toBe(8);
  } finally {
    vi.useRealTimers();
  }
});
