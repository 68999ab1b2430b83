-- When the event of a delivery happened that is sent again in order; NULL: it is sent at once.
ALTER TABLE "webhook_deliveries" ADD COLUMN "replay_at" TIMESTAMPTZ(3);
-- On a large table, build it by hand with CONCURRENTLY first.
CREATE INDEX IF NOT EXISTS "webhook_deliveries_replay_idx" ON "webhook_deliveries"("endpoint_id", "replay_at", "id")
    WHERE "state" = 'waiting' AND "replay_at" IS NOT NULL;
