import { isRecord } from "~/platform/json-value";

/** The parts of a call that must be the same live as in the test. */
interface TestedCall {
  payerId: string | null;
  address: unknown;
  headers: unknown;
  body: unknown;
}

/**
 * Lists the parts of a call by the names shown to people, without `test`: payer, address, headers, each field of the
 * body and of its recipient. Calls with equal parts differ only in test and live.
 */
export function listTestedParts({ payerId, address, headers, body }: TestedCall): Map<string, unknown> {
  const parts = new Map<string, unknown>([
    ["current user", payerId],
    ["address", address],
    ["headers", headers],
  ]);
  const fields = isRecord(body) ? body : { body };
  for (const [name, value] of Object.entries(fields)) {
    if (name === "test" || value === undefined) continue;
    if (name !== "recipient" || !isRecord(value)) parts.set(name, value);
    else for (const [inner, detail] of Object.entries(value)) parts.set(`${name} ${inner}`, detail);
  }
  return parts;
}

/** Formats what changed: "Changed since the test: size, message." */
export function formatDifferences(names: readonly string[]): string {
  return `Changed since the test: ${names.join(", ")}.`;
}

export function listDifferences(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>) {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !isSame(before.get(name), after.get(name)));
}

/** Compares texts directly: one of them may be a file of several megabytes. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return (
    typeof one === "object" && typeof other === "object" && JSON.stringify(one) === JSON.stringify(other)
  );
}
