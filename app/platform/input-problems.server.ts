import type { z } from "zod";

const MOST = 5;

/** What is wrong with an input, field by field: "amount is required; user_id is required". Five problems at most. */
export function formatProblems({ issues }: z.ZodError): string {
  return issues
    .slice(0, MOST)
    .map(({ path, message }) => `${String(path[0] ?? "the body")} ${message}`)
    .join("; ");
}
