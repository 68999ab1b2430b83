-- How each daily run ended; `reconciliation_runs` has only the last one.
CREATE TABLE "reconciliation_results" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "finished_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "differences" INTEGER NOT NULL,
    "problem" TEXT,

    CONSTRAINT "reconciliation_results_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "reconciliation_results_finished_at_idx" ON "reconciliation_results"("finished_at");
