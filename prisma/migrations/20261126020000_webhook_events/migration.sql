-- The triggers store an event without its body, also while no endpoint listens. A process writes the body and the deliveries. An older
-- process sees only deliveries, whose messages have a body.
ALTER TABLE "webhook_messages" ALTER COLUMN "payload" DROP NOT NULL;
ALTER TABLE "webhook_messages" ADD COLUMN "subject_id" TEXT;
ALTER TABLE "webhook_messages" ADD COLUMN "facts" JSONB;
-- On a large table, build it by hand with CONCURRENTLY first.
CREATE INDEX IF NOT EXISTS "webhook_messages_unwritten_idx" ON "webhook_messages"("created_at", "id") WHERE "payload" IS NULL;

-- Facts are what changes later: the state and amounts at the time of the event. All else is read when the body is written.
CREATE FUNCTION "queue_event"("event" TEXT, "about_piece" TEXT, "subject" TEXT, "known" JSONB) RETURNS void LANGUAGE sql AS $$
    INSERT INTO "webhook_messages" ("id", "type", "piece_id", "subject_id", "facts", "created_at")
    VALUES ('msg_' || replace(gen_random_uuid()::text, '-', ''), "event", "about_piece", "subject", "known", clock_timestamp());
$$;

CREATE OR REPLACE FUNCTION "tell_webhooks_of_piece"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "event" TEXT := CASE NEW."kind" WHEN 'accept' THEN 'piece.accepted' WHEN 'recordUnexpected' THEN 'piece.accepted'
        WHEN 'refuse' THEN 'piece.refused' WHEN 'decideNotMailed' THEN 'piece.refused'
        WHEN 'confirmCancel' THEN 'piece.cancelled' WHEN 'askForReview' THEN 'piece.needs_decision' END;
BEGIN
    IF "event" IS NULL THEN RETURN NULL; END IF;
    PERFORM "queue_event"("event", s."id", NULL, jsonb_build_object('state', s."state", 'status', i."status",
        'credits', NEW."credits", 'charged', s."charged"))
    FROM "sends" s LEFT JOIN "mail_items" i ON i."id" = s."id" WHERE s."id" = NEW."piece_id";
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "tell_webhooks_of_status"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "queue_event"('piece.status', s."id", NULL, jsonb_build_object('state', s."state", 'status', NEW."status",
        'credits', NULL, 'charged', s."charged"))
    FROM "sends" s WHERE s."id" = NEW."id";
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "tell_webhooks_of_batch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "queue_event"(CASE NEW."state" WHEN 'paused' THEN 'batch.paused' ELSE 'batch.finished' END, NULL, NEW."id",
        jsonb_build_object('state', NEW."state"));
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "notice_low_balance"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "lowest" INTEGER;
    "known" BOOLEAN;
BEGIN
    IF NEW."balance_after" > NEW."balance_before" THEN
        IF NEW."transaction_type" <> 'refund' THEN
            DELETE FROM "balance_notices" n WHERE n."user_id" = NEW."user_id" AND NEW."balance_after" >= n."threshold";
        END IF;
        RETURN NULL;
    END IF;
    SELECT min(t) INTO "lowest" FROM unnest(ARRAY[50, 10]) AS t WHERE NEW."balance_before" >= t AND NEW."balance_after" < t;
    IF "lowest" IS NULL THEN RETURN NULL; END IF;
    SELECT EXISTS (SELECT 1 FROM "balance_notices" n WHERE n."user_id" = NEW."user_id" AND n."threshold" = "lowest") INTO "known";
    IF "known" THEN RETURN NULL; END IF;
    -- Thresholds above it count as told, and the screen shows the lowest.
    INSERT INTO "balance_notices" ("user_id", "threshold", "balance", "seen_at")
    SELECT NEW."user_id", t, NEW."balance_after", CASE WHEN t > "lowest" THEN clock_timestamp() END
    FROM unnest(ARRAY[50, 10]) AS t WHERE NEW."balance_after" < t
    ON CONFLICT ("user_id", "threshold") DO UPDATE SET "seen_at" = coalesce("balance_notices"."seen_at", EXCLUDED."seen_at");
    PERFORM "queue_event"('balance.low', NULL, NEW."user_id",
        jsonb_build_object('threshold', "lowest", 'balance', NEW."balance_after"));
    RETURN NULL;
END
$$;
-- `queue_webhook`, `wants_webhook` and `describe_piece_for_webhook` stay: a transition under way may still call them.
