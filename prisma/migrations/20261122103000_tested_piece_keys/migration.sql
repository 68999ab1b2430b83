-- The idempotency key of a tested piece that is sent live starts with "tested:". Sends that have the old spelling keep
-- their meaning, so that pressing the button again after an upgrade still sends nothing twice.
UPDATE "sends" SET "idempotency_key" = 'tested:' || substr("idempotency_key", 7)
WHERE "tested_piece_id" IS NOT NULL AND "idempotency_key" LIKE 'proof:%';
