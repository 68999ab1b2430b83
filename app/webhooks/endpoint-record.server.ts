import type { Db } from "~/platform/database/client";
import type { PrismaClient, WebhookEndpoint } from "../../prisma/client/client";
import type { WebhookEvent } from "./events";
import { resealSecret, sealSecret } from "./sign.server";

/** Limit of all endpoints. */
export const MAX_ENDPOINTS = 20;
/** Validity of the earlier secret after a rotation. */
const OVERLAP = "24 hours";

/** An endpoint without its secrets. */
export type EndpointRecord = Omit<WebhookEndpoint, "secret" | "previousSecret">;

/** Fields that a person may change. */
export interface EndpointFields {
  url: string;
  description: string;
  events: WebhookEvent[];
}

const SECRETS = { secret: true, previousSecret: true } as const;

/** Lists all endpoints, the oldest first. */
export function listEndpoints(db: PrismaClient): Promise<EndpointRecord[]> {
  return db.webhookEndpoint.findMany({ omit: SECRETS, orderBy: { createdAt: "asc" } });
}

export function findEndpoint(db: PrismaClient, id: string): Promise<EndpointRecord | null> {
  return db.webhookEndpoint.findUnique({ omit: SECRETS, where: { id } });
}

/** Inserts an endpoint; false if there are {@link MAX_ENDPOINTS}. */
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

/** False if there is none. */
export async function updateEndpoint(db: PrismaClient, id: string, fields: EndpointFields): Promise<boolean> {
  return (await db.webhookEndpoint.updateMany({ where: { id }, data: fields })).count === 1;
}

/** Deletes an endpoint with its deliveries; false if there is none. */
export async function deleteEndpoint(db: PrismaClient, id: string): Promise<boolean> {
  return (await db.webhookEndpoint.deleteMany({ where: { id } })).count === 1;
}

/** Replaces the signing secret. The earlier one also signs for a day. */
export async function rotateSecret(db: Db, id: string, secret: string): Promise<boolean> {
  const rotated = await db.$executeRaw`
    UPDATE webhook_endpoints SET previous_secret = secret, previous_until = clock_timestamp() + ${OVERLAP}::interval,
      secret = ${sealSecret(secret, id)} WHERE id = ${id}`;
  return rotated === 1;
}

/** Encrypts secrets that are stored in plain text or with an earlier key. */
export async function resealSecrets(db: PrismaClient): Promise<void> {
  const stored = await db.webhookEndpoint.findMany({
    select: { id: true, secret: true, previousSecret: true },
  });
  for (const before of stored) {
    const secret = resealSecret(before.secret, before.id);
    const previousSecret = before.previousSecret && resealSecret(before.previousSecret, before.id);
    if (secret === before.secret && previousSecret === before.previousSecret) continue;
    await db.webhookEndpoint.updateMany({ where: before, data: { secret, previousSecret } });
  }
}

/** Switches an endpoint off; false if it was off or there is none. @param by a user's id or `system` */
export async function disableEndpoint(db: Db, id: string, by: string, reason: string): Promise<boolean> {
  const disabled = await db.$executeRaw`
    UPDATE webhook_endpoints SET disabled_at = clock_timestamp(), disabled_by = ${by}, disabled_reason = ${reason}
    WHERE id = ${id} AND disabled_at IS NULL`;
  return disabled === 1;
}

/** Switches an endpoint on and makes its waiting deliveries due; false if it was on or there is none. */
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
