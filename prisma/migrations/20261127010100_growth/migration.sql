-- An erasure reads the texts of those responses whose words do not say everything. A background task writes the words of older ones again.
ALTER TABLE "response_words" ADD COLUMN "is_complete" BOOLEAN;
DROP INDEX "response_words_unwritten_idx";
CREATE INDEX "response_words_incomplete_idx" ON "response_words"("is_complete", "created_at" DESC) INCLUDE ("response_id") WHERE "is_complete" IS NOT TRUE;
CREATE INDEX "responses_deleted_idx" ON "responses"("id") WHERE "deleted_at" IS NOT NULL;

-- Retention reads what is not expired yet.
ALTER TABLE "responses" ADD COLUMN "expired" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "responses_unexpired_idx" ON "responses"("created_at") WHERE NOT "expired";
CREATE INDEX "sends_unexpired_idx" ON "sends"("settled_at") WHERE "erased_at" IS NULL;
