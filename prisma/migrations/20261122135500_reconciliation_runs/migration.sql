-- CreateTable: the comparisons that run by themselves, when each is due, and how its last run ended
CREATE TABLE "reconciliation_runs" (
    "name" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "differences" INTEGER,
    "problem" TEXT,

    CONSTRAINT "reconciliation_runs_pkey" PRIMARY KEY ("name"),
    CONSTRAINT "reconciliation_runs_name_check" CHECK ("name" IN ('provider', 'stripe', 'ledger'))
);
