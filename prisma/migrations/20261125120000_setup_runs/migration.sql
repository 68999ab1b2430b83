-- The daily look at the setup, and the last backup. The table has a handful of rows.
ALTER TABLE "reconciliation_runs" DROP CONSTRAINT "reconciliation_runs_name_check",
    ADD CONSTRAINT "reconciliation_runs_name_check"
    CHECK ("name" IN ('provider', 'stripe', 'ledger', 'webhook', 'setup', 'backup'));
