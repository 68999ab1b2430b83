import { expect, test } from "vitest";
import { startMailConsole } from "../../support/console/mail-console";
import { newEmbedded } from "../../support/database/embedded";
import { setUpPostgres } from "../../support/fixtures";

const postgres = await setUpPostgres();

test.each(["PostgreSQL", "embedded"])(
  "the rooms' gauges at /metrics match the database, on %s",
  async (kind) => {
    const app = await startMailConsole(kind === "embedded" ? newEmbedded() : await postgres.createDatabase());
    const { GAUGES } = await import("~/gauges.server");
    /** All samples, as `name{label,label} value`. */
    const read = async () => {
      const samples = await Promise.all(
        GAUGES.map(async ({ name, read }) => {
          const found = await read();
          if (!found.ok) throw new Error(`${name}: ${found.failure.message}`);
          return found.value.map(
            ({ value, labels = {} }) => [`${name}{${Object.values(labels)}}`, value] as const,
          );
        }),
      );
      return Object.fromEntries(samples.flat());
    };
    expect(await read()).toEqual({
      "mailroom_oldest_expired_lease_seconds{}": 0,
      "mailroom_ledger_last_row{}": 0,
      "mailroom_checkouts{open}": 0,
      "mailroom_checkouts{mismatch}": 0,
      "mailroom_oldest_due_webhook_seconds{}": 0,
    });

    await app.grant("payer", 20);
    const sent = await Promise.all([app.mail("payer"), app.mail("payer"), app.mail("payer", "letter")]);
    const [unknown, review, recovered] = sent.map(({ id }) => id);
    await app.db(async (db) => {
      await db.$executeRaw`UPDATE sends SET state = 'unknown', lease_until = now() - interval '90 seconds',
      created_at = now() - interval '2 hours' WHERE id = ${unknown}`;
      await db.$executeRaw`UPDATE sends SET state = 'needs_review', created_at = now() - interval '2 days'
      WHERE id = ${review}`;
      await db.$executeRaw`UPDATE sends SET attempts = 3 WHERE id = ${recovered}`;
      await db.$executeRaw`INSERT INTO alarms (kind, subject_type, subject_id, evidence)
      VALUES ('cancel_given_up', 'piece', 'a', ''), ('cancel_given_up', 'piece', 'b', '')`;
      await db.$executeRaw`INSERT INTO reconciliation_runs (name, due_at, finished_at, differences)
      VALUES ('stripe', now(), now() - interval '2 hours', 0)`;
    });
    const numbers = await read();
    expect(numbers).toMatchObject({
      "mailroom_open_pieces{unknown,under_1d}": 1,
      "mailroom_open_pieces{needs_review,over_1d}": 1,
      "mailroom_recovered_pieces_last_day{accepted}": 1,
      "mailroom_ledger_last_row{}": 4,
      "mailroom_open_alarms{cancel_given_up}": 2,
    });
    expect(numbers["mailroom_oldest_expired_lease_seconds{}"]).toBeGreaterThanOrEqual(90);
    expect(numbers["mailroom_reconciliation_age_seconds{stripe}"]).toBeGreaterThanOrEqual(7_200);
    await app.close();
  },
);
