import { inProviderTurn } from "~/outside/mail-provider/call/pace.server";
import { validateAddress } from "~/outside/mail-provider/recipients.server";
import type { AddressVerdict } from "~/pieces/address-note";
import type { BackgroundTask } from "~/platform/background-runner.server";
import type { Db } from "~/platform/database/client";
import { withDatabase } from "~/platform/database/database.server";
import { env } from "~/platform/env.server";
import { fail, type Outcome, succeed } from "~/platform/outcome";
import { OPEN_STATES } from "../bulk-list";
import { parseRow } from "../columns";
import { isInState, withList } from "../list-record.server";
import { findListToSend } from "../list-template.server";
import { NOT_CHANGED_NOW, PROVIDER_NO_ANSWER } from "../messages";
import { findListWithRoom } from "../sending/list-pace.server";
import { isAllowed } from "./mark-duplicates.server";

const BATCH_SIZE = 8;
/** Time of a lease beyond the timeout of its call. */
const LEASE_MARGIN_MS = 5_000;
/** Countries whose addresses the provider knows. */
const CHECKED_COUNTRIES = ["US", "GB"];
const ADDRESS_PARTS = ["company", "address1", "address2", "city", "state", "postcode", "country"] as const;

interface LeasedRow {
  id: string;
  listId: string;
  number: number;
  cells: string;
  baseUrl: string;
  address: Record<string, string>;
}

export function setAddressChecks(id: string, wanted: boolean): Promise<Outcome<string>> {
  return withList(id, async (db) => {
    const changed = await db.$executeRaw`
      UPDATE bulk_lists SET checking_addresses = ${wanted} WHERE id = ${id} AND ${isInState(OPEN_STATES)}`;
    if (changed === 0) return fail("in_progress", NOT_CHANGED_NOW);
    return wanted
      ? "The addresses are being checked. Rows that the provider does not find are to be corrected."
      : "No more addresses are checked.";
  });
}

/**
 * Checks addresses with the provider one by one, within the lists' share of the rate limit. A person corrects or allows those that are
 * not found. An address without an answer is checked again.
 */
export const checkBulkAddresses: BackgroundTask<LeasedRow> = {
  name: "check_list_addresses",
  batchSize: BATCH_SIZE,
  atOnce: BATCH_SIZE,
  claim: (limit) => withDatabase((db) => claimAddresses(db, limit)),
  async work(row) {
    const verdict = await findVerdict(row);
    const stored = await withDatabase((db) => storeVerdict(db, row, verdict));
    return verdict === null ? fail("provider_unreachable", PROVIDER_NO_ANSWER) : stored;
  },
  cleanUp: () =>
    withDatabase(
      (db) => db.$executeRaw`
        UPDATE bulk_lists l SET checking_addresses = false WHERE l.checking_addresses AND (NOT ${isInState(OPEN_STATES)}
          OR NOT EXISTS (SELECT 1 FROM bulk_rows r WHERE r.list_id = l.id AND r.state = 'ready' AND r.address_check IS NULL))`,
    ),
};

/** Returns null when the provider does not answer. */
async function findVerdict({ baseUrl, address }: LeasedRow): Promise<AddressVerdict | null> {
  if (!CHECKED_COUNTRIES.includes(address.country ?? "")) return "unchecked";
  const answer = await inProviderTurn(async () =>
    succeed(await validateAddress(baseUrl, address, env().providerTimeoutMs)),
  );
  if (!answer.ok || answer.value === "no_answer") return null;
  if (answer.value === "found") return "valid";
  return answer.value === "not_found" ? "not_found" : "unchecked";
}

/** Stores a verdict, unless the row was changed or sent during the check. */
async function storeVerdict(db: Db, row: LeasedRow, verdict: AddressVerdict | null): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_rows SET lease_until = NULL, address_check = ${verdict}::text
    WHERE list_id = ${row.listId} AND number = ${row.number}::int AND state = 'ready' AND cells = ${row.cells}`;
  if (verdict === "not_found") await markNotFound(db, row.listId, row.number);
}

/** Marks a ready row whose address is not found, unless it was allowed. */
export async function markNotFound(db: Db, listId: string, number: number): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_rows r SET state = 'problem', problem = 'The provider does not find this address.', problem_code = 'address_not_found'
    WHERE list_id = ${listId} AND number = ${number}::int AND state = 'ready' AND address_check = 'not_found'
      AND NOT ${isAllowed("address_not_found")}`;
}

async function claimAddresses(db: Db, limit: number): Promise<LeasedRow[]> {
  const wanted = await db.$queryRaw<{ id: string; baseUrl: string }[]>`
    SELECT id, design::json ->> 'baseUrl' AS "baseUrl" FROM bulk_lists
    WHERE checking_addresses AND columns <> '[]' AND ${isInState(OPEN_STATES)} ORDER BY served_at NULLS FIRST, id`;
  const next = findListWithRoom(wanted, () => limit);
  const found = next ? await findListToSend(db, next.id) : null;
  if (!next || !found) return [];
  const { list, template, rules } = found;
  await db.$executeRaw`UPDATE bulk_lists SET served_at = clock_timestamp() WHERE id = ${list.id}`;
  const rows = await db.$queryRaw<{ number: number; cells: string }[]>`
    WITH due AS MATERIALIZED (
      SELECT number AS due_number FROM bulk_rows
      WHERE list_id = ${list.id} AND state = 'ready' AND address_check IS NULL
        AND (lease_until IS NULL OR lease_until <= clock_timestamp())
      ORDER BY number LIMIT ${next.room}::int FOR UPDATE SKIP LOCKED
    )
    UPDATE bulk_rows r SET
      lease_until = clock_timestamp() + ${env().providerTimeoutMs + LEASE_MARGIN_MS}::float8 * interval '1 millisecond'
    FROM due WHERE r.list_id = ${list.id} AND r.number = due_number RETURNING r.number, r.cells`;
  return rows.map(({ number, cells }) => {
    const { recipient } = parseRow(JSON.parse(cells), rules);
    const address = Object.fromEntries(
      ADDRESS_PARTS.flatMap((part) => (recipient[part] ? [[part, recipient[part]]] : [])),
    );
    return { id: `${list.id}:${number}`, listId: list.id, number, cells, baseUrl: template.baseUrl, address };
  });
}
