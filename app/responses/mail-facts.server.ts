import { parseInlineRecipient } from "~/outside/mail-provider/recipient-fields";
import { isTestValue } from "~/outside/mail-provider/test-value";
import type { BackgroundTask } from "~/platform/background-runner.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { formatName, formatPlace, parseAddressee, selectText } from "~/recipients/addressee.server";
import { writeRecipientWords } from "./response-record.server";
import type { ResponseMode } from "./stored-response";

/** What a stored response says of a letter or postcard: test or live, and to whom. */
export interface MailFacts {
  mode: ResponseMode | null;
  /** "Ana Lopez", else company or place, else "Recipient 1001"; null where no one is named. */
  addressee: string | null;
  /** What the search finds of the recipient: name, company, city and postcode, each on its line. */
  words: string[];
}

/** What is stored of a response, as far as it tells of mail. */
interface StoredCall {
  path: string;
  sendId: string | null;
  /** JSON texts. */
  requestText: string | null;
  responseText: string | null;
}

export const NO_MAIL: MailFacts = { mode: null, addressee: null, words: [] };
const CREATES_MAIL = /^(?:letters|postcards)\/(?:create|post)(?:\.json)?$/i;

/** Reads a stored response that may have made mail. A recipient who is named by an ID alone is looked up. */
export async function loadMailFacts(db: Db, call: StoredCall): Promise<MailFacts> {
  if (!CREATES_MAIL.test(call.path.trim())) return NO_MAIL;
  const request = parseRecord(parseJson(call.requestText ?? ""));
  const body = parseRecord(request.body);
  const answer = parseRecord(parseRecord(parseJson(call.responseText ?? "")).data);
  const { recipientId } = parseAddressee(body);
  // The provider's answer to live mail has the recipient's details, also of one who was named by an ID.
  const details = recipientId === null ? parseInlineRecipient(body) : answer;
  const found = formatName(details) ?? (recipientId && (await findName(db, recipientId, request.base)));
  const company = selectText(details, "company");
  const place = formatPlace(details);
  const named = found || company || place || (recipientId && `Recipient ${recipientId}`) || null;
  return {
    mode: findMode(call, body),
    addressee: named,
    words: [...new Set([named, company, place].filter((word): word is string => Boolean(word)))],
  };
}

/** Unknown where the request was not stored. */
function findMode({ sendId }: StoredCall, body: Record<string, unknown>): ResponseMode | null {
  if (sendId !== null) return "live";
  if (Object.keys(body).length === 0) return null;
  return isTestValue(body.test) ? "test" : "live";
}

async function findName(db: Db, recipientId: string, label: unknown): Promise<string | null> {
  const { baseUrls } = env();
  const base = baseUrls.find((one) => one.label === label) ?? baseUrls[0];
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT name FROM mail_recipients WHERE base_url = ${base.url} AND recipient_id = ${recipientId}
      AND deleted_at IS NULL LIMIT 1`;
  return rows[0]?.name ?? null;
}

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
