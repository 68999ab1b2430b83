import type { Viewer } from "~/people/viewer.server";
import { sendPiece } from "~/pieces/send/send-piece.server";
import { withDatabase } from "~/platform/database/database.server";
import { formatInteger } from "~/platform/format-integer";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { answerPiece } from "~/proxy/answer-piece.server";
import { ERASED_CELLS, OPEN_STATES } from "../bulk-list";
import { buildBody, buildOrder, findListToSend } from "../list-template.server";
import { NO_LIST, NOT_CHANGED_NOW } from "../messages";

const NO_SAMPLE = "The provider returned no PDF for this row.";

const MAX_TESTS = 5;

/** Sends tests of rows as live pieces are sent. The template counts as tested when the provider returned a sample of one. */
export async function testRows(id: string, text: string, viewer: Viewer): Promise<Outcome<string>> {
  const numbers = parseRowNumbers(text);
  if (numbers === null)
    return fail(
      "bad_input",
      "Name 1 to 5 rows of the list by their numbers, with commas between. Nothing was sent.",
    );
  const loaded = await withDatabase(async (db) => {
    const found = await findListToSend(db, id);
    const rows = await db.$queryRaw<{ number: number; cells: string }[]>`
      SELECT number, cells FROM bulk_rows WHERE list_id = ${id} AND state = 'ready' AND number = ANY(${numbers}::int[])`;
    return found ? { ...found, rows } : fail("not_found", NO_LIST);
  });
  if (!loaded.ok) return loaded;
  const { list, template, rules, rows } = loaded.value;
  if (!OPEN_STATES.includes(list.state)) return fail("in_progress", NOT_CHANGED_NOW);
  const notReady = numbers.filter((number) => !rows.some((row) => row.number === number));
  if (notReady.length > 0) {
    return fail(
      "bad_input",
      `These rows are not ready to be sent: ${notReady.map(formatInteger).join(", ")}. Nothing was sent.`,
    );
  }
  const unkeyed = { idempotencyKey: null, creditReservationId: null, knownDuplicate: undefined };
  const payer = { payerId: list.userId, ...unkeyed };
  const results = await Promise.all(
    rows.map(async ({ number, cells }) => {
      const body = buildBody(template, JSON.parse(cells), rules);
      const order = buildOrder(template, body, true, payer, null);
      const sent = order.ok ? await sendPiece(order.value, viewer) : order;
      if (!sent.ok) return { number, piece: null, problem: sent.failure.message };
      const { response } = await answerPiece(sent.value, null);
      const piece = response.tested_piece?.id ?? null;
      // A test has credits only if the provider mailed it.
      const why = response.error ?? (response.credits ? response.hint : null) ?? NO_SAMPLE;
      return { number, piece, problem: piece === null ? why : null };
    }),
  );
  const good = results.filter(({ piece }) => piece !== null).length;
  const stored = await withDatabase(async (db) => {
    await db.$executeRaw`
      UPDATE bulk_rows r SET tested_version = ${list.version}::int, tested_piece_id = t.piece, test_problem = t.problem
      FROM unnest(${results.map(({ number }) => number)}::int[], ${results.map(({ piece }) => piece)}::text[],
        ${results.map(({ problem }) => problem)}::text[]) AS t(number, piece, problem)
      WHERE r.list_id = ${id} AND r.number = t.number AND r.cells <> ${ERASED_CELLS}`;
    if (good === 0) return 0;
    return db.$executeRaw`
      UPDATE bulk_lists SET tested_version = ${list.version}::int, tested_at = clock_timestamp() WHERE id = ${id} AND version = ${list.version}::int`;
  });
  if (!stored.ok) return stored;
  const [failed] = results.flatMap(({ problem }) => problem ?? []);
  const all = results.length;
  if (good === 0) return fail("provider_refused", failed ?? NO_SAMPLE);
  if (good < all) return succeed(`${good} of ${all} tests worked.`);
  const done = all === 1 ? "The test is" : `${all} tests are`;
  return succeed(`${done} done. Check the provider's PDFs before you start.`);
}

/** Parses row numbers such as `2, 17`; null when they are not 1 to 5 numbers. */
function parseRowNumbers(text: string): number[] | null {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  const numbers = [...new Set(parts.map(Number))];
  const fits = numbers.length >= 1 && numbers.length <= MAX_TESTS;
  return fits && numbers.every((number) => Number.isInteger(number) && number > 1 && number < 1e7)
    ? numbers
    : null;
}
