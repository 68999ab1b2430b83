-- Tables and columns get the names that the rest of the product uses for the same things.

-- RenameTable: pieces tested before they are sent live
ALTER TABLE "proofs" RENAME TO "tested_pieces";
ALTER TABLE "tested_pieces" RENAME CONSTRAINT "proofs_pkey" TO "tested_pieces_pkey";
ALTER INDEX "proofs_actor_id_created_at_idx" RENAME TO "tested_pieces_actor_id_created_at_idx";
ALTER TABLE "sends" RENAME COLUMN "proof_id" TO "tested_piece_id";
ALTER INDEX "sends_proof_id_idx" RENAME TO "sends_tested_piece_id_idx";

-- RenameTable: webhook events that wait for their piece to be stored
ALTER TABLE "early_news" RENAME TO "pending_events";
ALTER TABLE "pending_events" RENAME CONSTRAINT "early_news_pkey" TO "pending_events_pkey";
ALTER TABLE "pending_events" RENAME COLUMN "heard_at" TO "received_at";

-- RenameTable: drafts that the server keeps during a payment
ALTER TABLE "kept_drafts" RENAME TO "parked_drafts";
ALTER TABLE "parked_drafts" RENAME CONSTRAINT "kept_drafts_pkey" TO "parked_drafts_pkey";
ALTER INDEX "kept_drafts_actor_id_created_at_idx" RENAME TO "parked_drafts_actor_id_created_at_idx";
