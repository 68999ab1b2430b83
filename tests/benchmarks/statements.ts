import pg from "pg";

/** A statement as the product's driver sends it. */
export interface Statement {
  text: string;
  values?: unknown[];
}

const READS = /^\s*(?:SELECT|WITH)\b/i;
const INSIDE_MS = 20;

/** The reading statements that the product sends to PostgreSQL in this process while it does something. */
export async function recordStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const found: Statement[] = [];
  const { prototype } = pg.Client;
  const query = prototype.query as (...given: unknown[]) => unknown;
  const recording = function (this: pg.Client, ...given: unknown[]) {
    const [sent] = given;
    if (isStatement(sent) && READS.test(sent.text)) found.push(sent);
    return query.apply(this, given);
  };
  Object.assign(prototype, { query: recording });
  try {
    await work();
  } finally {
    Object.assign(prototype, { query });
  }
  return found;
}

/** Sends them again, one after the other, without the product. */
export async function replay(client: pg.Client, statements: readonly Statement[]): Promise<void> {
  for (const { text, values } of statements) await client.query({ text, values, rowMode: "array" });
}

/** The plans of those that take PostgreSQL longer than 20 ms. */
export async function explainSlow(client: pg.Client, statements: readonly Statement[]): Promise<string[]> {
  const plans: string[] = [];
  for (const { text, values } of statements) {
    const { rows } = await client.query({
      text: `EXPLAIN (ANALYZE, BUFFERS) ${text}`,
      values,
      rowMode: "array",
    });
    const plan = (rows as string[][]).map(([line]) => line).join("\n");
    const [, ms = "0"] = /Execution Time: ([\d.]+) ms/.exec(plan) ?? [];
    if (Number(ms) > INSIDE_MS) plans.push(`${text.replace(/\s+/g, " ")}\n${plan}`);
  }
  return plans;
}

function isStatement(sent: unknown): sent is Statement {
  return typeof sent === "object" && sent !== null && "text" in sent;
}
