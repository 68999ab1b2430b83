import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { loadMailFacts } from "./mail-facts.server";
import { writeRecipientWords } from "./response-record.server";

/** Small, so that lists and saves hardly notice: each changes the index of search texts. */
const BATCH_SIZE = 50;

interface Undescribed {
  id: string;
  path: string;
  sendId: string | null;
  requestText: string | null;
  responseText: string | null;
}

/**
 * Finds out test or live and the recipient for letters and postcards that were stored before these were kept, the newest
 * first, a few at a time; rows of today have them from the start. Doing one twice changes nothing, and what was erased
 * has nothing to be read any more.
 */
export const describeResponses: BackgroundTask<Undescribed> = {
  name: "describe_responses",
  batchSize: BATCH_SIZE,
  atOnce: 1,
  claim: (limit) =>
    withDatabase(
      (db) => db.$queryRaw<Undescribed[]>`
        SELECT r.id, r.path, r.send_id AS "sendId", b.request_data AS "requestText", b.response_data AS "responseText"
        FROM (
          SELECT id, path, send_id, created_at FROM responses
          WHERE NOT described AND endpoint_category IN ('letters', 'postcards')
          ORDER BY created_at DESC, id DESC LIMIT ${limit}::int
        ) r LEFT JOIN response_bodies b ON b.response_id = r.id`,
    ),
  work: (row) =>
    withDatabase(async (db) => {
      const { mode, addressee, words } = await loadMailFacts(db, row);
      // An erasure that came between has emptied the request: then nothing is written of the recipient.
      await db.$executeRaw`
        UPDATE responses r SET described = true, mode = coalesce(mode, ${mode}::text),
          addressee = CASE WHEN kept THEN ${addressee}::text END,
          search_text = CASE WHEN kept THEN split_part(search_text, chr(31), 1) || ${writeRecipientWords(words)}::text
            ELSE search_text END
        FROM (SELECT ${row.requestText}::text IS NOT NULL AND EXISTS (SELECT 1 FROM response_bodies
          WHERE response_id = ${row.id} AND request_data IS NOT NULL) AS kept) s
        WHERE r.id = ${row.id} AND NOT r.described`;
    }),
};
