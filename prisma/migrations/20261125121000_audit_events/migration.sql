-- Who did what, and whom it was refused. Rows are only added; no retention deletes them.
CREATE TABLE "audit_events" (
    "id" BIGSERIAL NOT NULL,
    "event_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_id" TEXT NOT NULL,
    "token" TEXT,
    "address" TEXT NOT NULL,
    "what" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "audit_events_outcome_check" CHECK ("outcome" IN ('done', 'refused', 'failed'))
);
-- Written twice when a console ends between the database and its spool.
CREATE UNIQUE INDEX "audit_events_event_id_key" ON "audit_events" ("event_id");
CREATE INDEX "audit_events_actor_id_id_idx" ON "audit_events" ("actor_id", "id");

CREATE FUNCTION "refuse_audit_event_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_events is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER "audit_events_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_events"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_event_change"();
