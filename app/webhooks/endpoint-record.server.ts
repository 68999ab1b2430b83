import { isLocalReceiver, isPrivateHost } from "~/outside/webhook-receiver/call-receiver.server";
import type { Db } from "~/platform/database/client";
import type { PrismaClient, WebhookEndpoint } from "../../prisma/client/client";
import type { WebhookEvent } from "./events";
import { PROBLEMS } from "./messages";
import { resealSecret, sealSecret } from "./sign.server";

export const MAX_ENDPOINTS = 20;
/** Validity of the earlier secrets after a rotation. */
const OVERLAP = "24 hours";

export type EndpointRecord = Omit<WebhookEndpoint, keyof typeof SECRETS>;

export type EndpointFields = { url: string; description: string; events: WebhookEvent[] };

export const SECRETS = { secret: true, previousSecret: true } as const;

export function findEndpoint(db: PrismaClient, id: string): Promise<EndpointRecord | null> {
  return db.webhookEndpoint.findUnique({ omit: SECRETS, where: { id } });
}

/** Inserts an endpoint. `known`: one has this ID already. `full`: there are {@link MAX_ENDPOINTS}. */
export function insertEndpoint(
  db: PrismaClient,
  endpoint: EndpointFields & { id: string; secret: string; createdBy: string },
): Promise<"stored" | "known" | "full"> {
  return db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended('webhook endpoints', 0))::text`;
    if ((await tx.webhookEndpoint.count({ where: { id: endpoint.id } })) > 0) return "known";
    if ((await tx.webhookEndpoint.count()) >= MAX_ENDPOINTS) return "full";
    const secret = sealSecret(endpoint.secret, endpoint.id);
    await tx.webhookEndpoint.create({ data: { ...endpoint, secret } });
    return "stored";
  });
}

/** Replaces the signing secret. The earlier one also signs for a day, and so do those before it that were still valid. */
export async function rotateSecret(db: Db, id: string, secret: string): Promise<boolean> {
  const rotated = await db.$executeRaw`
    UPDATE webhook_endpoints SET
      previous_secret = concat_ws(' ', secret, CASE WHEN previous_until > clock_timestamp() THEN previous_secret END),
      previous_until = clock_timestamp() + ${OVERLAP}::interval, secret = ${sealSecret(secret, id)} WHERE id = ${id}`;
  return rotated === 1;
}

/** Encrypts secrets that are stored in plain text or with an earlier key. */
export async function resealSecrets(db: PrismaClient): Promise<void> {
  const stored = await db.webhookEndpoint.findMany({
    select: { id: true, secret: true, previousSecret: true },
  });
  for (const before of stored) {
    const reseal = (stored: string) => resealSecret(stored, before.id);
    const secret = reseal(before.secret);
    const previousSecret = before.previousSecret?.split(" ").map(reseal).join(" ") ?? null;
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

/** Names of this machine and its network. */
const PRIVATE_NAME = /^(localhost|[^.]+)$|\.(localhost|local|internal|home\.arpa)$/;

/** Finds the problem of a typed address, or null. Each connection also checks the IP address of its name. */
export function findTargetProblem(written: string): string | null {
  if (!URL.canParse(written)) return PROBLEMS.url;
  const url = new URL(written);
  if (url.username !== "" || url.password !== "" || url.hash !== "") return PROBLEMS.urlParts;
  if (isLocalReceiver(url)) return null;
  if (url.protocol !== "https:") return PROBLEMS.url;
  const host = url.hostname.replace(/\.$/, "");
  const isName = !/^[\d.]+$|^\[/.test(host);
  return isPrivateHost(url) || (isName && PRIVATE_NAME.test(host)) ? PROBLEMS.urlPrivate : null;
}

/** Formats an address without its query, which may hold a secret. */
export function formatAddress(written: string): string {
  const { origin, pathname, search } = new URL(written);
  return origin + pathname + (search === "" ? "" : "?…");
}
