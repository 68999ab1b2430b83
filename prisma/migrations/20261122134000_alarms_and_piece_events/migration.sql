-- CreateTable: what a person has to look into; one open row per kind and subject
CREATE TABLE "alarms" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_type" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "evidence" TEXT NOT NULL,
    "times" INTEGER NOT NULL DEFAULT 1,
    "opened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),
    "closed_by" TEXT,
    "close_reason" TEXT,

    CONSTRAINT "alarms_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "alarms_closed_check" CHECK (("closed_at" IS NULL) = ("closed_by" IS NULL)
        AND ("closed_at" IS NULL) = ("close_reason" IS NULL))
);
CREATE UNIQUE INDEX "alarms_open_key" ON "alarms"("kind", "subject_type", "subject_id") WHERE "closed_at" IS NULL;
CREATE INDEX "alarms_subject_type_subject_id_idx" ON "alarms"("subject_type", "subject_id");
CREATE INDEX "alarms_closed_idx" ON "alarms"("closed_at" DESC, "id" DESC) WHERE "closed_at" IS NOT NULL;

-- CreateTable: the history of every piece. No foreign key: it also tells of a piece whose row was lost.
CREATE TABLE "piece_events" (
    "id" BIGSERIAL NOT NULL,
    "piece_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "note" TEXT,
    "credits" INTEGER,
    "provider_id" TEXT,
    "attempts" INTEGER,
    "answer_status" INTEGER,
    "answer_headers" TEXT,
    "answer_text" TEXT,
    "duration_ms" INTEGER,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "piece_events_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "piece_events_piece_id_id_idx" ON "piece_events"("piece_id", "id");

-- What is known of the pieces there are already.
INSERT INTO "piece_events" ("piece_id", "kind", "actor_id", "source", "credits", "at")
SELECT "id", 'reserve', "actor_id", 'send', "cost", "created_at" FROM "sends"
WHERE "idempotency_key" NOT LIKE 'unexpected-%';
INSERT INTO "piece_events" ("piece_id", "kind", "actor_id", "source", "note", "credits", "provider_id", "attempts",
    "answer_status", "answer_headers", "answer_text", "duration_ms", "at")
SELECT "id",
    CASE WHEN "state" IN ('held', 'unknown') THEN 'postpone' WHEN "state" = 'needs_review' THEN 'askForReview'
        WHEN "state" = 'refused' THEN 'refuse' WHEN "idempotency_key" LIKE 'unexpected-%' THEN 'recordUnexpected'
        ELSE 'accept' END,
    'provider', CASE WHEN "attempts" > 1 THEN 'reconcile' ELSE 'send' END, "note",
    CASE WHEN "state" IN ('held', 'unknown', 'needs_review') THEN NULL WHEN "state" = 'refused' THEN "cost" ELSE "charged" END,
    "provider_id", "attempts", "answer_status", "answer_headers", left("answer_text", 20000), "duration_ms",
    coalesce("settled_at", "created_at")
FROM "sends" WHERE "attempts" > 0 OR "state" <> 'held';
INSERT INTO "piece_events" ("piece_id", "kind", "actor_id", "source", "note", "at")
SELECT "id", 'startCancel', coalesce("cancel_actor_id", 'system'), 'cancel', "cancel_reason", "cancel_asked_at"
FROM "sends" WHERE "cancel_asked_at" IS NOT NULL;
INSERT INTO "piece_events" ("piece_id", "kind", "actor_id", "source", "note", "at")
SELECT "id", CASE WHEN "state" = 'cancelling' THEN 'cancelUnclear' ELSE 'dropCancel' END, 'provider', 'cancel',
    "cancel_note", "cancel_asked_at"
FROM "sends" WHERE "cancel_asked_at" IS NOT NULL AND "cancel_note" IS NOT NULL;
INSERT INTO "piece_events" ("piece_id", "kind", "actor_id", "source", "note", "credits", "at")
SELECT "id", 'confirmCancel', coalesce("cancel_actor_id", 'system'), 'cancel', "cancel_reason", "charged", "cancelled_at"
FROM "sends" WHERE "state" = 'cancelled' AND "cancelled_at" IS NOT NULL;

CREATE FUNCTION "refuse_piece_event_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'piece_events is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER "piece_events_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "piece_events"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_piece_event_change"();

-- What needed a decision until now stood in lists that were made anew each time.
INSERT INTO "alarms" ("kind", "subject_type", "subject_id", "evidence", "opened_at")
SELECT 'piece_needs_decision', 'piece', "id",
    to_char("created_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ' '
        || json_build_object('text', coalesce("note", 'The provider could not be asked.'))::text, "created_at"
FROM "sends" WHERE "state" = 'needs_review';
INSERT INTO "alarms" ("kind", "subject_type", "subject_id", "evidence", "opened_at")
SELECT CASE WHEN "flag" = 'disputed' THEN 'payment_disputed' WHEN "flag" IS NOT NULL THEN 'payment_refunded'
        ELSE 'payment_mismatch' END, 'payment', "id",
    to_char("created_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ' '
        || json_build_object('text', coalesce("note", ''))::text, "created_at"
FROM "checkout_sessions" WHERE "state" = 'mismatch' OR "flag" IS NOT NULL;
