import { randomUUID } from "node:crypto";
import { ensureViewerStored } from "~/people/stored-user.server";
import type { Viewer } from "~/people/viewer.server";
import type { BackgroundTask } from "~/platform/background-runner.server";
import { withDatabase } from "~/platform/database/database.server";
import { parseJson, parseRecord } from "~/platform/json-value";
import { errorNameOf, log } from "~/platform/log.server";
import { writeSearchText } from "~/platform/search-words";
import { formatName, formatPlace, parseAddressee, selectText } from "~/recipients/addressee.server";
import { linkAddressee } from "~/recipients/match-person.server";
import { Prisma } from "../../prisma/client/client";
import type { MailCall } from "./send/mail-call.server";
import { findStatus, parseStatus } from "./status";

/** Columns of the earlier part of a `WITH` statement from which {@link recordItem} records a mailed piece. */
export const SEND_COLUMNS = Prisma.sql`
  method, path, url, created_at, recipient_id, recipient_name, recipient_email, recipient_place, recipient_key,
  search_text`;

export interface PieceFacts {
  status: string;
  name: string | null;
  /** City and postcode, as the provider has them. */
  place: string | null;
  /** The provider's price in its account's currency: "0.99"; null when the answer has none. */
  cost: string | null;
  /** Two letters, as the provider has the address. */
  country: string | null;
}

/** Scheme, host and prefix of a URL that was built from a base and a call of two segments. */
export const BASE_URL = Prisma.sql`regexp_replace(split_part(s.url, '?', 1), '/[^/]+/[^/]+$', '')`;

/** Parses the answer to an accepted create; `fallback` is the status if it has none. */
export function parsePieceFacts(parsed: unknown, fallback = "received"): PieceFacts {
  const data = parseRecord(parseRecord(parsed).data);
  const country = selectText(data, "country").toUpperCase();
  return {
    status: parseStatus(data.status) ?? fallback,
    name: formatName(data),
    place: formatPlace(data),
    cost: /^\d{1,6}(?:\.\d{1,4})?$/.exec(selectText(data, "cost"))?.[0] ?? null,
    country: /^[A-Z]{2}$/.test(country) ? country : null,
  };
}

/** Writes the part of a statement that records a mailed piece, so that it is stored exactly when it is charged. */
export function recordItem(sends: string, { status, name, place, cost, country }: PieceFacts): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO mail_items (id, user_id, actor_id, send_id, type, preset, method, path, base_url, provider_id,
      addressee, place, search_text, status, status_rank, created_at, provider_cost, country)
    SELECT s.id, s.user_id, s.actor_id, s.id, s.mail_type, replace(s.path, '/', '.'), s.method, s.path, ${BASE_URL},
      s.provider_id, coalesce(s.recipient_name, ${name}::text, 'Recipient ' || s.recipient_id),
      coalesce(s.recipient_place, ${place}::text), s.search_text || ${writeSearchText([name, place])}, ${status},
      ${findStatus(status)?.rank ?? 0}::int, s.created_at, ${cost}::numeric, ${country}::text
    FROM ${Prisma.raw(sends)} s ON CONFLICT DO NOTHING RETURNING id, status`;
}

export function recordFirstEvent(items: string): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO mail_events (item_id, status, source) SELECT id, status, 'send' FROM ${Prisma.raw(items)}
    ON CONFLICT DO NOTHING`;
}

/**
 * Stores a test among its user's items. Returns its id; null when it was not stored, for an unknown user or without a
 * database.
 */
export async function recordTestItem(
  {
    mailType,
    method,
    path,
    baseUrl,
    body,
  }: Pick<MailCall, "mailType" | "method" | "path" | "baseUrl" | "body">,
  userId: string,
  viewer: Viewer,
): Promise<string | null> {
  const addressee = parseAddressee(body);
  const named = addressee.name ?? (addressee.recipientId && `Recipient ${addressee.recipientId}`);
  const id = randomUUID();
  try {
    const stored = await withDatabase(async (db) => {
      await ensureViewerStored(db, viewer);
      return db.$executeRaw`
        WITH item AS (
          INSERT INTO mail_items (id, user_id, actor_id, type, preset, method, path, base_url, provider_id,
            addressee, place, recipient_link, search_text, status, status_rank, test)
          SELECT ${id}, id, ${viewer.actorId}, ${mailType}, ${path.replace("/", ".")}, ${method}, ${path},
            ${baseUrl}, '0', ${named}::text, ${addressee.place}::text, ${linkAddressee(addressee, baseUrl)}::text,
            ${addressee.searchText}, 'test', 0, true
          FROM users WHERE id = ${userId} RETURNING id, status
        )
        ${recordFirstEvent("item")}`;
    });
    return stored.ok && stored.value === 1 ? id : null;
  } catch (error) {
    log.warn("test_item.not_stored", { errorName: errorNameOf(error) });
    return null;
  }
}

/**
 * Reads price and country from the answers of pieces that were mailed before these were stored. Idempotent. They stay
 * unknown when the answer was erased.
 */
export const readAnswers: BackgroundTask<{ id: string; answer: string | null }> = {
  name: "read_answers",
  batchSize: 100,
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
