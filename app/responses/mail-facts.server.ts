import { isTestValue, parseInlineRecipient } from "~/outside/mail-provider/request-fields";
import type { Db } from "~/platform/database/client";
import { env } from "~/platform/env.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { formatName, formatPlace, parseAddressee, selectText } from "~/recipients/addressee.server";
import type { ResponseMode } from "./stored-response";

/** Facts about a letter or postcard in a stored response. */
export interface MailFacts {
  mode: ResponseMode | null;
  /** "Ana Lopez", else company or place, else "Recipient 1001"; null without a recipient. */
  addressee: string | null;
  /** Search words of the recipient: name, company, city and postcode, each on its line. */
  words: string[];
}

/** The stored fields that describe mail. */
interface StoredCall {
  path: string;
  sendId: string | null;
  requestText: string | null;
  responseText: string | null;
}

export const NO_MAIL: MailFacts = { mode: null, addressee: null, words: [] };
const CREATES_MAIL = /^(?:letters|postcards)\/(?:create|post)(?:\.json)?$/i;

/** Parses a stored response that may have made mail. Looks up a recipient who is named by an ID alone. */
export async function loadMailFacts(db: Db, call: StoredCall): Promise<MailFacts> {
  if (!CREATES_MAIL.test(call.path.trim())) return NO_MAIL;
  const request = parseRecord(parseJson(call.requestText ?? ""));
  const body = parseRecord(request.body);
  const answer = parseRecord(parseRecord(parseJson(call.responseText ?? "")).data);
  const { recipientId } = parseAddressee(body);
  // The answer to live mail has the details of a recipient who was named by an ID.
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

/** Null when the request was not stored. */
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
