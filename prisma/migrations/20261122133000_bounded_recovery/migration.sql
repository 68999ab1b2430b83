-- AlterTable: which key a piece was sent with, when it was last called, who ended its replays, and when its files were dropped
ALTER TABLE "sends" ADD COLUMN "key_fingerprint" TEXT;
ALTER TABLE "sends" ADD COLUMN "called_at" TIMESTAMPTZ(3);
ALTER TABLE "sends" ADD COLUMN "given_up_by" TEXT;
ALTER TABLE "sends" ADD COLUMN "given_up_at" TIMESTAMPTZ(3);
ALTER TABLE "sends" ADD COLUMN "reduced_at" TIMESTAMPTZ(3);

-- CreateIndex: pieces whose request still has its files
CREATE INDEX "sends_unreduced_idx" ON "sends"("created_at") WHERE "reduced_at" IS NULL;
