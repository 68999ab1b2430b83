import type { Db } from "~/platform/database/client";
import type { PrismaClient, WebhookEndpoint } from "../../prisma/client/client";
import type { WebhookEvent } from "./events";
import { resealSecret, sealSecret } from "./sign.server";

/** Most endpoints there are at once. */
export const MAX_ENDPOINTS = 20;
/** For how long the secret before the last one signs as well. */
const OVERLAP = "24 hours";

/** An endpoint as it is shown: without its secrets. */
export type EndpointRecord = Omit<WebhookEndpoint, "secret" | "previousSecret">;

/** What a person may change of one. */
export interface EndpointFields {
  url: string;
  description: string;
  events: WebhookEvent[];
}

const SHOWN = { secret: true, previousSecret: true } as const;

/** All endpoints, the oldest first. */
export function listEndpoints(db: PrismaClient): Promise<EndpointRecord[]> {
  return db.webhookEndpoint.findMany({ omit: SHOWN, orderBy: { createdAt: "asc" } });
}

export function findEndpoint(db: PrismaClient, id: string): Promise<EndpointRecord | null> {
  return db.webhookEndpoint.findUnique({ omit: SHOWN, where: { id } });
}

/** Stores an endpoint; false when there are {@link MAX_ENDPOINTS} already. */
export function insertEndpoint(
  db: PrismaClient,
  endpoint: EndpointFields & { id: string; secret: string; createdBy: string },
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended('webhook endpoints', 0))::text`;
    if ((await tx.webhookEndpoint.count()) >= MAX_ENDPOINTS) return false;
    const secret = sealSecret(endpoint.secret, endpoint.id);
    await tx.webhookEndpoint.create({ data: { ...endpoint, secret } });
    return true;
  });
}

/** False where there is none. */
export async function updateEndpoint(db: PrismaClient, id: string, fields: EndpointFields): Promise<boolean> {
  return (await db.webhookEndpoint.updateMany({ where: { id }, data: fields })).count === 1;
}

/** With its deliveries; false where there is none. */
export async function deleteEndpoint(db: PrismaClient, id: string): Promise<boolean> {
  return (await db.webhookEndpoint.deleteMany({ where: { id } })).count === 1;
}

/** Makes `secret` the one that signs; the one before it signs as well for a day. */
export async function rotateSecret(db: Db, id: string, secret: string): Promise<boolean> {
  const rotated = await db.$executeRaw`
    UPDATE webhook_endpoints SET previous_secret = secret, previous_until = clock_timestamp() + ${OVERLAP}::interval,
      secret = ${sealSecret(secret, id)} WHERE id = ${id}`;
  return rotated === 1;
}

/** Encrypts secrets that are stored as they are, or with an earlier key. */
export async function resealSecrets(db: PrismaClient): Promise<void> {
  const stored = await db.webhookEndpoint.findMany({
    select: { id: true, secret: true, previousSecret: true },
  });
  for (const where of stored) {
    const secret = resealSecret(where.secret, where.id);
    const previousSecret = where.previousSecret && resealSecret(where.previousSecret, where.id);
    if (secret === where.secret && previousSecret === where.previousSecret) continue;
    await db.webhookEndpoint.updateMany({ where, data: { secret, previousSecret } });
  }
}

/** Takes an endpoint out of use; false when it was already, or there is none. @param by a user's id or `system` */
export async function disableEndpoint(db: Db, id: string, by: string, reason: string): Promise<boolean> {
  const disabled = await db.$executeRaw`
    UPDATE webhook_endpoints SET disabled_at = clock_timestamp(), disabled_by = ${by}, disabled_reason = ${reason}
    WHERE id = ${id} AND disabled_at IS NULL`;
  return disabled === 1;
}

/** Takes it into use again, and what waited for it is due. False when it was in use, or there is none. */
export async function enableEndpoint(db: Db, id: string): Promise<boolean> {
  const enabled = await db.$queryRaw<unknown[]>`
    WITH done AS (
      UPDATE webhook_endpoints SET disabled_at = NULL, disabled_by = NULL, disabled_reason = NULL, failing_since = NULL
      WHERE id = ${id} AND disabled_at IS NOT NULL RETURNING id
    ),
    due AS (
      UPDATE webhook_deliveries d SET next_at = clock_timestamp() FROM done
      WHERE d.endpoint_id = done.id AND d.state = 'waiting'
    )
    SELECT 1 FROM done`;
  return enabled.length === 1;
}
