-- AlterTable: what a piece says and whom it goes to, so that the same one is known again
ALTER TABLE "sends" ADD COLUMN "piece_hash" TEXT;

-- CreateIndex
CREATE INDEX "sends_piece_hash_created_at_idx" ON "sends"("piece_hash", "created_at");
