import type { Db } from "~/platform/database/client";

/** Longest time that deliveries are kept. */
export const KEPT_DAYS = 30;
const AT_ONCE = 5_000;

/** Deletes messages older than `days`, with their deliveries and answers. */
export function expireDeliveries(db: Db, days: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM webhook_messages WHERE id IN (
      SELECT id FROM webhook_messages WHERE created_at < now() - ${days}::int * interval '1 day' LIMIT ${AT_ONCE}::int)`;
}

/** Erases the answers of receivers about these pieces, the only text here that Mailroom did not write. */
export function eraseAnswers(db: Db, pieces: readonly string[]): Promise<number> {
  return db.$executeRaw`
    UPDATE webhook_attempts a SET answer_text = NULL, answer_headers = NULL
    FROM webhook_deliveries d JOIN webhook_messages m ON m.id = d.message_id
    WHERE a.delivery_id = d.id AND m.piece_id = ANY(${[...pieces]}::text[])`;
}
