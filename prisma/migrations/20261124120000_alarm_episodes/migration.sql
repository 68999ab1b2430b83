-- Evidence whose fault persists; null: all of the alarm's evidence.
ALTER TABLE "alarms" ADD COLUMN "persisting" TEXT;

-- That the provider's webhook events come is checked once a day, too.
ALTER TABLE "reconciliation_runs" DROP CONSTRAINT "reconciliation_runs_name_check",
    ADD CONSTRAINT "reconciliation_runs_name_check" CHECK ("name" IN ('provider', 'stripe', 'ledger', 'webhook'));
