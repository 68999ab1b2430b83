-- What a program calls a piece that it sends by `/api/pieces`. Of a live piece `key` is its tested piece's ID, else its
-- idempotency key, so that it is stored before the piece is; of a test it is the test's ID.
CREATE TABLE "piece_labels" (
    "key" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "is_test" BOOLEAN NOT NULL,
    "reference" TEXT,
    "tags" TEXT[] NOT NULL,
    "tested_piece_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "piece_labels_pkey" PRIMARY KEY ("key", "actor_id")
);
CREATE UNIQUE INDEX "piece_labels_live_reference_key" ON "piece_labels" ("reference", "actor_id") WHERE NOT "is_test";
CREATE INDEX "piece_labels_reference_idx" ON "piece_labels" ("reference");
CREATE INDEX "piece_labels_tags_idx" ON "piece_labels" USING GIN ("tags");
