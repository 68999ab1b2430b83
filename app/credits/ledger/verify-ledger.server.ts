import type { Db } from "~/platform/database/client";
import { readLong } from "~/platform/database/database.server";
import { Prisma, type PrismaClient } from "../../../prisma/client/client";

/**
 * Text that is hashed for a ledger row, from its columns and `before`, the hash of the account's row before it. A trigger writes the hash by the
 * function `hash_ledger_row` (migration `20261122135000_ledger_hashes`). The formula is repeated here, because that function could be
 * changed together with the rows.
 */
const LEDGER_TEXT = Prisma.sql`json_build_array(before, id, user_id, transaction_type, amount,
  balance_before, balance_after, description, actor_id, cause, cause_key, mail_type, reference_response_id,
  round(extract(epoch FROM created_at) * 1000)::bigint)::text`;
const LEDGER_HASH = Prisma.sql`encode(sha256(convert_to(${LEDGER_TEXT}, 'UTF8')), 'hex')`;

/** The result of one rule. */
export interface Finding {
  /** Its name in the output of `npm run verify-ledger`. */
  id: string;
  /** The rule that must hold. */
  rule: string;
  ok: boolean;
  /** Number of rows checked. */
  checked: number;
  /** Number of rows that break the rule. */
  broken: number;
  /** The first problems, a sentence each. */
  problems: string[];
}

interface Invariant {
  id: string;
  rule: string;
  /** Returns the number of checked rows. */
  count: Prisma.Sql;
  /** Returns a row with a text `problem` for each row that breaks the rule. */
  search: Prisma.Sql;
}

const SHOWN_PROBLEMS = 20;

/** Recovery stops after 24 hours; one more for a late pass. */
const HORIZON_HOURS = 25;

const INVARIANTS: Invariant[] = [
  {
    id: "I1",
    rule: "A balance is the sum of its ledger rows.",
    count: Prisma.sql`SELECT count(*) FROM credit_accounts`,
    search: Prisma.sql`
      SELECT format('user %s has %s, the ledger says %s', coalesce(a.user_id, l.user_id),
        coalesce(a.balance::text, 'no account'), coalesce(l.total, 0)) AS problem
      FROM credit_accounts a FULL JOIN (
        SELECT user_id, sum(CASE WHEN transaction_type = 'debit' THEN -amount ELSE amount END) AS total
        FROM credit_transactions GROUP BY user_id
      ) l USING (user_id)
      WHERE coalesce(a.balance, 0) <> coalesce(l.total, 0)`,
  },
  {
    id: "I1b",
    rule: "What a user spent is the sum of the debits of pieces minus their refunds.",
    count: Prisma.sql`SELECT count(*) FROM credit_accounts`,
    search: Prisma.sql`
      SELECT format('user %s spent %s, the ledger says %s', coalesce(a.user_id, l.user_id),
        coalesce(a.total_spent, 0), coalesce(l.total, 0)) AS problem
      FROM credit_accounts a FULL JOIN (
        SELECT user_id, sum(CASE WHEN transaction_type = 'debit' THEN amount ELSE -amount END) AS total
        FROM credit_transactions WHERE cause IN ('send', 'refund') GROUP BY user_id
      ) l USING (user_id)
      WHERE coalesce(a.total_spent, 0) <> coalesce(l.total, 0)`,
  },
  {
    id: "I2",
    rule: "What is held is not negative and not more than the balance.",
    count: Prisma.sql`SELECT count(*) FROM credit_accounts`,
    search: Prisma.sql`
      SELECT format('user %s has %s and holds %s', user_id, balance, held) AS problem
      FROM credit_accounts WHERE held < 0 OR held > balance`,
  },
  {
    id: "I3",
    rule: "What is held is the cost of the open pieces and what remains of open reservations.",
    count: Prisma.sql`SELECT count(*) FROM sends WHERE state IN ('reserved', 'sending', 'unknown', 'needs_review')`,
    search: Prisma.sql`
      SELECT format('user %s holds %s, the open pieces and reservations cost %s', coalesce(a.user_id, s.user_id),
        coalesce(a.held, 0), coalesce(s.cost, 0)) AS problem
      FROM credit_accounts a FULL JOIN (
        SELECT user_id, sum(cost) AS cost FROM (
          SELECT user_id, cost FROM sends WHERE state IN ('reserved', 'sending', 'unknown', 'needs_review')
          UNION ALL
          SELECT user_id, remaining FROM credit_reservations WHERE closed_at IS NULL
        ) AS parts GROUP BY user_id
      ) s USING (user_id)
      WHERE coalesce(a.held, 0) <> coalesce(s.cost, 0)`,
  },
  {
    id: "I4",
    rule: "A mailed piece has one debit of its charge and a cancelled one its refund, to the payer; no other piece has any.",
    count: Prisma.sql`SELECT count(*) FROM sends`,
    search: Prisma.sql`
      WITH entries AS (
        SELECT cause_key, cause,
          count(*) AS number, sum(amount) AS amount, min(user_id) AS payer, max(user_id) AS other_payer,
          bool_and(transaction_type = CASE cause WHEN 'send' THEN 'debit' ELSE 'refund' END) AS typed
        FROM credit_transactions WHERE cause IN ('send', 'refund') GROUP BY cause_key, cause
      ), due AS (
        SELECT id, user_id, state, cause,
          CASE WHEN state = 'cancelled' OR (cause = 'send' AND state IN ('accepted', 'cancelling'))
            THEN charged ELSE 0 END AS amount,
          cause = 'refund' OR charged = 0 OR state IN ('accepted', 'cancelling', 'cancelled') AS charge_fits
        FROM sends CROSS JOIN (VALUES ('send'), ('refund')) AS causes (cause)
      )
      SELECT format('piece %s (%s) of %s: the %s should be %s, there are %s with %s in total for %s',
        coalesce(d.id, e.cause_key), coalesce(d.state, 'unknown to us'), coalesce(d.user_id, 'no one'),
        CASE coalesce(d.cause, e.cause) WHEN 'send' THEN 'debit' ELSE 'refund' END,
        coalesce(d.amount, 0), coalesce(e.number, 0), coalesce(e.amount, 0), coalesce(e.payer, 'no one')) AS problem
      FROM due d FULL JOIN entries e ON e.cause_key = d.id AND e.cause = d.cause
      WHERE d.id IS NULL OR NOT d.charge_fits
        OR coalesce(e.number, 0) <> CASE WHEN d.amount > 0 THEN 1 ELSE 0 END
        OR coalesce(e.amount, 0) <> d.amount
        OR (e.number > 0 AND (e.payer <> d.user_id OR e.other_payer <> d.user_id OR NOT e.typed))`,
  },
  {
    id: "I5",
    rule: "A completed checkout has one purchase of its credits, for its user; no other checkout has any.",
    count: Prisma.sql`SELECT count(*) FROM checkout_sessions`,
    search: Prisma.sql`
      WITH entries AS (
        SELECT cause_key, count(*) AS number, sum(amount) AS amount, min(user_id) AS buyer,
          bool_and(transaction_type = 'purchase') AS typed
        FROM credit_transactions WHERE cause = 'checkout' GROUP BY cause_key
      )
      SELECT format('checkout %s (%s) of %s credits for %s: %s purchases with %s in total for %s',
        coalesce(c.id, e.cause_key), coalesce(c.state, 'unknown to us'), coalesce(c.credits, 0),
        coalesce(c.user_id, 'no one'), coalesce(e.number, 0), coalesce(e.amount, 0), coalesce(e.buyer, 'no one')) AS problem
      FROM checkout_sessions c FULL JOIN entries e ON e.cause_key = c.id
      WHERE c.id IS NULL
        OR coalesce(e.number, 0) <> CASE WHEN c.state = 'completed' THEN 1 ELSE 0 END
        OR (e.number > 0 AND (e.amount <> c.credits OR e.buyer <> c.user_id OR NOT e.typed))`,
  },
  {
    id: "I7",
    rule: "Each ledger row starts from the balance of the row before, and the database refuses changes of rows.",
    count: Prisma.sql`SELECT count(*) FROM credit_transactions`,
    search: Prisma.sql`
      SELECT format('row %s of user %s starts at %s, the row before ended at %s', id, user_id, balance_before,
        coalesce(before, 0)) AS problem
      FROM (SELECT id, user_id, balance_before,
              lag(balance_after) OVER (PARTITION BY user_id ORDER BY id) AS before
            FROM credit_transactions) AS chain
      WHERE balance_before <> coalesce(before, 0)
      UNION ALL
      SELECT 'the append-only trigger is missing, switched off, or does not cover UPDATE, DELETE and TRUNCATE'
      WHERE NOT EXISTS (
        SELECT 1 FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
        WHERE t.tgrelid = 'credit_transactions'::regclass AND t.tgname = 'credit_transactions_append_only'
          AND p.proname = 'refuse_ledger_change' AND p.prosrc LIKE '%RAISE EXCEPTION%'
          AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NULL
          AND t.tgtype & 2 = 2 AND t.tgtype & (8 | 16 | 32) = (8 | 16 | 32)
      )`,
  },
  {
    id: "I8",
    rule: `After ${HORIZON_HOURS} hours a piece is settled or shown as needing a decision.`,
    count: Prisma.sql`SELECT count(*) FROM sends WHERE state IN ('reserved', 'sending', 'unknown', 'cancelling')`,
    search: Prisma.sql`
      SELECT format('piece %s of %s is %s since %s', id, user_id, state, since) AS problem
      FROM (SELECT *, CASE state WHEN 'cancelling' THEN cancel_asked_at ELSE created_at END AS since FROM sends
            WHERE state IN ('reserved', 'sending', 'unknown', 'cancelling')) AS open
      WHERE since IS NULL OR since < now() - ${HORIZON_HOURS}::int * interval '1 hour'`,
  },
  {
    id: "I9",
    rule: "A mailed piece has one mail item, cancelled exactly when the piece is; no other item claims to be live.",
    count: Prisma.sql`SELECT count(*) FROM mail_items WHERE NOT test`,
    search: Prisma.sql`
      SELECT format('piece %s (%s) of %s and item %s (%s) of %s do not agree', coalesce(s.id, i.send_id),
        coalesce(s.state, 'not mailed'), coalesce(s.user_id, 'no one'), coalesce(i.id, 'missing'),
        CASE WHEN i.is_cancelled THEN 'cancelled' ELSE coalesce(i.status, 'none') END,
        coalesce(i.user_id, 'no one')) AS problem
      FROM (SELECT * FROM sends WHERE state IN ('accepted', 'cancelling', 'cancelled')) s
        FULL JOIN (SELECT * FROM mail_items WHERE NOT test) i ON i.send_id = s.id
      WHERE s.id IS NULL OR i.id IS NULL OR i.id <> s.id OR i.user_id <> s.user_id OR i.type <> s.mail_type
        OR i.provider_id IS DISTINCT FROM s.provider_id OR i.is_cancelled <> (s.state = 'cancelled')`,
  },
  {
    id: "I11",
    rule: "Each ledger row has the hash of its content and of the account's row before it, as it was written.",
    count: Prisma.sql`SELECT count(*) FROM credit_transactions`,
    search: Prisma.sql`
      SELECT format('row %s of user %s is not as it was written, or the row before it (%s) is not', id, user_id,
        coalesce(before_id::text, 'none')) AS problem
      FROM (SELECT *, lag(id) OVER account AS before_id, lag(hash) OVER account AS before FROM credit_transactions
            WINDOW account AS (PARTITION BY user_id ORDER BY id)) AS chain
      WHERE hash <> ${LEDGER_HASH}
      UNION ALL
      SELECT 'the trigger that writes the hashes is missing or switched off'
      WHERE NOT EXISTS (
        SELECT 1 FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
        WHERE t.tgrelid = 'credit_transactions'::regclass AND t.tgname = 'credit_transactions_chain'
          AND p.proname = 'chain_ledger_row' AND t.tgenabled IN ('O', 'A') AND t.tgqual IS NULL
          AND t.tgtype & (1 | 2 | 4) = (1 | 2 | 4)
      )`,
  },
  {
    id: "I12",
    rule: "What an open reservation has left and what its pieces cost add up to its amount; its begin and end are ledger rows.",
    count: Prisma.sql`SELECT count(*) FROM credit_reservations`,
    search: Prisma.sql`
      SELECT format('reservation %s of %s: %s reserved, %s remain, its pieces took %s, %s of %s ledger rows', r.id, r.user_id,
        r.amount, r.remaining, coalesce(s.cost, 0), coalesce(t.number, 0),
        CASE WHEN r.closed_at IS NULL THEN 1 ELSE 2 END) AS problem
      FROM credit_reservations r
        LEFT JOIN (SELECT credit_reservation_id, sum(cost) FILTER (WHERE state <> 'refused') AS cost,
            bool_and(EXISTS (SELECT 1 FROM credit_reservations o WHERE o.id = credit_reservation_id AND o.user_id = sends.user_id)) AS own
          FROM sends WHERE credit_reservation_id IS NOT NULL GROUP BY credit_reservation_id) s ON s.credit_reservation_id = r.id
        LEFT JOIN (SELECT cause_key, count(*) AS number, min(user_id) AS payer, max(user_id) AS other_payer
          FROM credit_transactions WHERE cause IN ('reservation', 'reservation_end') GROUP BY cause_key) t ON t.cause_key = r.id
      WHERE (r.closed_at IS NULL AND r.remaining + coalesce(s.cost, 0) <> r.amount) OR coalesce(s.cost, 0) > r.amount
        OR NOT coalesce(s.own, true)
        OR coalesce(t.number, 0) <> CASE WHEN r.closed_at IS NULL THEN 1 ELSE 2 END
        OR t.payer <> r.user_id OR t.other_payer <> r.user_id`,
  },
  {
    id: "I13",
    rule: "Every open reservation belongs to a running or paused list, and each of these has one.",
    count: Prisma.sql`SELECT count(*) FROM credit_reservations WHERE closed_at IS NULL`,
    search: Prisma.sql`
      SELECT CASE WHEN r.id IS NULL THEN format('list %s of %s is %s without an open reservation', l.id, l.user_id, l.state)
        ELSE format('reservation %s of %s is open, and no running or paused list has it', r.id, r.user_id) END AS problem
      FROM (SELECT * FROM credit_reservations WHERE closed_at IS NULL) r
        FULL JOIN (SELECT * FROM bulk_lists WHERE state IN ('running', 'paused')) l
          ON l.reservation_id = r.id AND l.user_id = r.user_id
      WHERE r.id IS NULL OR l.id IS NULL`,
  },
];

/**
 * Checks the books, one query per rule. I6, "every accepted piece exists at the provider", belongs to reconciliation. Consoles may run during
 * the check, because every change of credits is one statement or transaction.
 */
export async function verifyLedger(db: PrismaClient): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { id, rule, count, search } of INVARIANTS) {
    const [row] = await readLong<{ checked: number; broken: number; problems: string[] | null }>(
      db,
      Prisma.sql`
      WITH found AS (${search})
      SELECT (${count})::int AS checked, (SELECT count(*) FROM found)::int AS broken,
        ARRAY(SELECT left(problem, 300) FROM found ORDER BY problem LIMIT ${SHOWN_PROBLEMS}::int) AS problems`,
    );
    if (!row) throw new Error(`The database gave no result for ${id}`);
    const { checked, broken, problems } = row;
    findings.push({ id, rule, ok: broken === 0, checked, broken, problems: problems ?? [] });
  }
  return findings;
}

/** A ledger row of a piece, for a proof. */
interface ChainedRow {
  id: number;
  pieceId: string;
  type: string;
  amount: number;
  balanceBefore: number;
  balanceAfter: number;
  at: Date;
  /** Its hash, and the text that is hashed, which begins with the hash of the account's row before it. */
  hash: string;
  text: string;
}

/** Lists the ledger rows of these pieces, oldest first. */
export function listChainedRows(db: Db, pieceIds: readonly string[]): Promise<ChainedRow[]> {
  return db.$queryRaw<ChainedRow[]>`
    SELECT id::float8 AS id, reference_response_id AS "pieceId", transaction_type AS type, amount,
      balance_before AS "balanceBefore", balance_after AS "balanceAfter", created_at AS at, hash, ${LEDGER_TEXT} AS text
    FROM (SELECT t.*, (SELECT p.hash FROM credit_transactions p WHERE p.user_id = t.user_id AND p.id < t.id
        ORDER BY p.id DESC LIMIT 1) AS before
      FROM credit_transactions t WHERE t.reference_response_id = ANY(${[...pieceIds]}::text[])) AS chained ORDER BY id`;
}
