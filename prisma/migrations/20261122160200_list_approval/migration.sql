-- A list that another person has to approve before it is started: who asked, and what exactly was asked for.
ALTER TABLE "bulk_lists" ADD COLUMN "approval_from" TEXT;
ALTER TABLE "bulk_lists" ADD COLUMN "approval_asked_by" TEXT;
ALTER TABLE "bulk_lists" ADD COLUMN "approval_asked_at" TIMESTAMPTZ(3);
ALTER TABLE "bulk_lists" ADD COLUMN "approval_rows" INTEGER;
ALTER TABLE "bulk_lists" ADD COLUMN "approval_hash" TEXT;
ALTER TABLE "bulk_lists" ADD COLUMN "approved_by" TEXT;
ALTER TABLE "bulk_lists" DROP CONSTRAINT "bulk_lists_state_check";
ALTER TABLE "bulk_lists" ADD CONSTRAINT "bulk_lists_state_check" CHECK ("state" IN ('draft', 'awaiting_approval', 'running', 'paused', 'stopped', 'finished'));
ALTER TABLE "bulk_lists" ADD CONSTRAINT "bulk_lists_approval_check" CHECK ("state" <> 'awaiting_approval' OR
    ("approval_from" IS NOT NULL AND "approval_asked_by" IS NOT NULL AND "approval_asked_at" IS NOT NULL
        AND "approval_rows" IS NOT NULL AND "approval_hash" IS NOT NULL));
