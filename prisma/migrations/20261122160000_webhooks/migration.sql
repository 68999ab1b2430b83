-- CreateTable: who is told of events by webhook, what they are told, and each try to tell them
CREATE TABLE "webhook_endpoints" (
    "id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "events" TEXT[] NOT NULL,
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_until" TIMESTAMPTZ(3),
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failing_since" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_by" TEXT,
    "disabled_reason" TEXT,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_endpoints_previous_check" CHECK (("previous_secret" IS NULL) = ("previous_until" IS NULL)),
    CONSTRAINT "webhook_endpoints_disabled_check" CHECK (("disabled_at" IS NULL) = ("disabled_by" IS NULL))
);

CREATE TABLE "webhook_messages" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "piece_id" TEXT,
    "payload" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_messages_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "webhook_messages_created_at_idx" ON "webhook_messages"("created_at");
CREATE INDEX "webhook_messages_piece_id_idx" ON "webhook_messages"("piece_id");

CREATE TABLE "webhook_deliveries" (
    "id" BIGSERIAL NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),
    "resent_by" TEXT,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_deliveries_state_check" CHECK ("state" IN ('waiting', 'delivered', 'failed')),
    CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "webhook_deliveries_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "webhook_messages"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "webhook_deliveries_endpoint_id_id_idx" ON "webhook_deliveries"("endpoint_id", "id");
CREATE INDEX "webhook_deliveries_message_id_idx" ON "webhook_deliveries"("message_id");
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries"("endpoint_id", "next_at") WHERE "state" = 'waiting';

CREATE TABLE "webhook_attempts" (
    "id" BIGSERIAL NOT NULL,
    "delivery_id" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "request_headers" TEXT NOT NULL,
    "status" INTEGER,
    "answer_headers" TEXT,
    "answer_text" TEXT,
    "problem" TEXT,
    "duration_ms" INTEGER NOT NULL,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "webhook_attempts_delivery_id_id_idx" ON "webhook_attempts"("delivery_id", "id");

-- The triggers write a message in the transaction that it tells of, so neither is stored without the other. No writer of
-- pieces or lists has to think of it. Ids, states and credits only: no name, no address.
CREATE FUNCTION "wants_webhook"("event" TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM "webhook_endpoints" e WHERE e."disabled_at" IS NULL AND "event" = ANY (e."events"));
$$;

CREATE FUNCTION "queue_webhook"("event" TEXT, "about_piece" TEXT, "said" JSON) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    "message" TEXT := 'msg_' || replace(gen_random_uuid()::text, '-', '');
    "now_at" TIMESTAMPTZ := clock_timestamp();
BEGIN
    INSERT INTO "webhook_messages" ("id", "type", "piece_id", "payload", "created_at")
    VALUES ("message", "event", "about_piece", json_build_object('type', "event",
        'timestamp', to_char("now_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', "said")::text, "now_at");
    INSERT INTO "webhook_deliveries" ("endpoint_id", "message_id", "next_at", "created_at")
    SELECT e."id", "message", "now_at", "now_at" FROM "webhook_endpoints" e
    WHERE e."disabled_at" IS NULL AND "event" = ANY (e."events");
END
$$;

CREATE FUNCTION "describe_piece_for_webhook"("piece" TEXT, "moved" INTEGER) RETURNS JSON LANGUAGE sql STABLE AS $$
    SELECT json_build_object('id', s."id", 'type', s."mail_type", 'state',
        CASE s."state" WHEN 'held' THEN 'checking' WHEN 'unknown' THEN 'checking' WHEN 'needs_review' THEN 'needs_decision'
            ELSE s."state" END, 'status', i."status",
        'provider_id', s."provider_id", 'user_id', s."user_id", 'credits', "moved", 'charged', CASE WHEN s."state" = 'cancelled' THEN 0 ELSE s."charged" END,
        'list_id', CASE WHEN s."credit_reservation_id" IS NOT NULL THEN split_part(s."idempotency_key", ':', 2) END)
    FROM "sends" s LEFT JOIN "mail_items" i ON i."id" = s."id" WHERE s."id" = "piece";
$$;

CREATE FUNCTION "tell_webhooks_of_piece"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "event" TEXT := CASE NEW."kind" WHEN 'accept' THEN 'piece.accepted' WHEN 'recordUnexpected' THEN 'piece.accepted'
        WHEN 'refuse' THEN 'piece.refused' WHEN 'decideNotMailed' THEN 'piece.refused'
        WHEN 'confirmCancel' THEN 'piece.cancelled' WHEN 'askForReview' THEN 'piece.needs_decision' END;
    "said" JSON;
BEGIN
    IF "event" IS NULL OR NOT "wants_webhook"("event") THEN RETURN NULL; END IF;
    "said" := "describe_piece_for_webhook"(NEW."piece_id", NEW."credits");
    IF "said" IS NOT NULL THEN PERFORM "queue_webhook"("event", NEW."piece_id", "said"); END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER "piece_events_webhooks" AFTER INSERT ON "piece_events"
    FOR EACH ROW EXECUTE FUNCTION "tell_webhooks_of_piece"();

-- A cancelled piece is told of by its own event.
CREATE FUNCTION "tell_webhooks_of_status"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF "wants_webhook"('piece.status') THEN
        PERFORM "queue_webhook"('piece.status', NEW."id", "describe_piece_for_webhook"(NEW."id", NULL));
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER "mail_items_webhooks" AFTER UPDATE OF "status" ON "mail_items" FOR EACH ROW
    WHEN (NEW."status" IS DISTINCT FROM OLD."status" AND NEW."send_id" IS NOT NULL AND NOT NEW."test" AND NOT NEW."is_cancelled")
    EXECUTE FUNCTION "tell_webhooks_of_status"();

CREATE FUNCTION "tell_webhooks_of_batch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF "wants_webhook"('batch.finished') THEN
        PERFORM "queue_webhook"('batch.finished', NULL, (
            SELECT json_build_object('id', NEW."id", 'type', NEW."mail_type", 'state', NEW."state", 'user_id', NEW."user_id",
                'sent', count(*) FILTER (WHERE r."state" = 'sent'),
                'refused', count(*) FILTER (WHERE r."state" = 'refused'),
                'checking', count(*) FILTER (WHERE r."state" IN ('sending', 'checking')),
                'not_sent', count(*) FILTER (WHERE r."state" IN ('ready', 'problem', 'left_out')))
            FROM "bulk_rows" r WHERE r."list_id" = NEW."id"));
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER "bulk_lists_webhooks" AFTER UPDATE OF "state" ON "bulk_lists" FOR EACH ROW
    WHEN (NEW."state" IN ('finished', 'stopped') AND OLD."state" IN ('running', 'paused'))
    EXECUTE FUNCTION "tell_webhooks_of_batch"();
