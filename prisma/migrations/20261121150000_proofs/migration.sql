-- AlterTable
ALTER TABLE "sends" ADD COLUMN "proof_id" TEXT;

-- CreateTable
CREATE TABLE "proofs" (
    "id" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "call_hash" TEXT NOT NULL,
    "part_hashes" TEXT NOT NULL,
    "mail_type" TEXT NOT NULL,
    "provider_format" TEXT,
    "cost" TEXT,
    "pdf_url" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "proofs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "proofs_actor_id_created_at_idx" ON "proofs"("actor_id", "created_at");
CREATE INDEX "sends_proof_id_idx" ON "sends"("proof_id");
