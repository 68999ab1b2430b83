import { Prisma } from "../../../prisma/client/client";

/**
 * What the hash of a ledger row must be, given its columns and `before`, the hash of the account's row before it: SHA-256
 * over the row's content and `before`. A trigger of the database writes it by the function `hash_ledger_row`, which the
 * migration `20261122135000_ledger_hashes` made. The formula is written a second time here, because a function of the
 * database could be changed together with the rows.
 */
export const LEDGER_HASH = Prisma.sql`encode(sha256(convert_to(json_build_array(before, id, user_id, transaction_type, amount,
  balance_before, balance_after, description, actor_id, cause, cause_key, mail_type, reference_response_id,
  round(extract(epoch FROM created_at) * 1000)::bigint)::text, 'UTF8')), 'hex')`;
