import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { parseJson } from "~/platform/json-value";
import { parsePieceFacts } from "./item-record.server";

const BATCH_SIZE = 100;

/**
 * Reads price and country from the answers of pieces that were mailed before these were kept; pieces of today have them
 * from the start. Doing one twice changes nothing. An answer that was erased leaves both unknown.
 */
export const readAnswers: BackgroundTask<{ id: string; answer: string | null }> = {
  name: "read_answers",
  batchSize: BATCH_SIZE,
  atOnce: 1,
  claim: (limit) =>
    withDatabase(
      (db) => db.$queryRaw<{ id: string; answer: string | null }[]>`
        SELECT i.id, s.answer_text AS answer FROM mail_items i JOIN sends s ON s.id = i.send_id
        WHERE NOT i.answer_read AND NOT i.test ORDER BY i.created_at DESC LIMIT ${limit}::int`,
    ),
  work: ({ id, answer }) => {
    const { cost, country } = parsePieceFacts(answer === null ? null : parseJson(answer));
    return withDatabase(
      (db) => db.$executeRaw`
        UPDATE mail_items SET provider_cost = coalesce(provider_cost, ${cost}::numeric),
          country = coalesce(country, ${country}::text), answer_read = true
        WHERE id = ${id}`,
    );
  },
};
