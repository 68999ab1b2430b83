import { fillUserTexts } from "~/people/stored-user.server";
import { fillPieceTexts } from "~/pieces/find-pieces.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { succeed } from "~/platform/outcome";
import { fillRecipientTexts } from "~/recipients/list-recipients.server";
import { fillResponseWords } from "~/responses/search/response-words.server";

const BATCH_ROWS = 100;
/** Batches per table and turn, so that an old database with a million rows does not block other tasks. */
const BATCHES = 100;

const TABLES: readonly { id: string; fill: (db: Db, limit: number) => Promise<number> }[] = [
  { id: "pieces", fill: fillPieceTexts },
  { id: "recipients", fill: fillRecipientTexts },
  { id: "users", fill: fillUserTexts },
  { id: "responses", fill: fillResponseWords },
];

/** Writes the search texts of rows that were stored before there was a search, newest first. */
export const fillSearchTexts: BackgroundTask<(typeof TABLES)[number]> = {
  name: "fill_search_texts",
  // One more than there are tables, because a full batch is followed by the next one at once.
  batchSize: TABLES.length + 1,
  atOnce: 1,
  claim: async () => succeed(TABLES),
  async work({ fill }) {
    for (let batch = 0; batch < BATCHES; batch++) {
      const filled = await withDatabase((db) => fill(db, BATCH_ROWS));
      if (!filled.ok || filled.value < BATCH_ROWS) return filled;
    }
    return succeed(null);
  },
};
