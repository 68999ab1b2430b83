-- AlterTable: test or live and to whom. Rows from before are looked through in the background: `described` is false for
-- them alone.
ALTER TABLE "responses" ADD COLUMN "mode" TEXT,
    ADD COLUMN "addressee" TEXT,
    ADD COLUMN "described" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "responses" ALTER COLUMN "described" SET DEFAULT true;
CREATE INDEX "responses_undescribed_idx" ON "responses"("created_at" DESC, "id" DESC)
    WHERE NOT "described" AND "endpoint_category" IN ('letters', 'postcards');

-- CreateIndex: the list of tests, and that of live mail
CREATE INDEX "responses_mode_idx" ON "responses"("mode", "created_at" DESC, "id" DESC)
    WHERE "deleted_at" IS NULL AND "mode" IS NOT NULL;

-- CreateIndex: how long the provider takes
CREATE INDEX "responses_latency_idx" ON "responses"("created_at") INCLUDE ("duration_ms") WHERE "duration_ms" IS NOT NULL;
