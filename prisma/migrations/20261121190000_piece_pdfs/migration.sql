-- CreateTable: our own copies of the provider's PDFs of what was mailed, whose links live for half an hour
CREATE TABLE "piece_pdfs" (
    "send_id" TEXT NOT NULL,
    "pdf" BYTEA,
    "attempts" INTEGER NOT NULL DEFAULT 1,
    "tried_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "piece_pdfs_pkey" PRIMARY KEY ("send_id")
);

-- CreateIndex
CREATE INDEX "piece_pdfs_tried_at_idx" ON "piece_pdfs"("tried_at");
CREATE INDEX "sends_settled_at_idx" ON "sends"("settled_at");

-- AddForeignKey
ALTER TABLE "piece_pdfs" ADD CONSTRAINT "piece_pdfs_send_id_fkey" FOREIGN KEY ("send_id") REFERENCES "sends"("id") ON DELETE CASCADE ON UPDATE CASCADE;
