-- The states of a piece have the names that the code has: `held` was `reserved` before its first call and `sending` from then on.
-- The new CHECK is not validated, so that adding it reads no rows.
ALTER TABLE "sends" DROP CONSTRAINT "sends_state_check";
ALTER TABLE "sends" ADD CONSTRAINT "sends_state_check" CHECK ("state" IN ('reserved', 'sending', 'unknown', 'needs_review', 'accepted', 'refused', 'cancelling', 'cancelled')) NOT VALID;

-- A process of the version before still writes `held`. Its send is stored under the new name, so it does not begin the call: it
-- answers that nothing was sent, and a process of this version releases the credits.
CREATE FUNCTION "name_held_state"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."state" := CASE WHEN NEW."attempts" = 0 THEN 'reserved' ELSE 'sending' END;
    RETURN NEW;
END
$$;
CREATE TRIGGER "sends_held_state" BEFORE INSERT OR UPDATE OF "state" ON "sends" FOR EACH ROW
    WHEN (NEW."state" = 'held') EXECUTE FUNCTION "name_held_state"();

UPDATE "sends" SET "state" = CASE WHEN "attempts" = 0 THEN 'reserved' ELSE 'sending' END WHERE "state" = 'held';

-- On a large table, build these two by hand with CONCURRENTLY first.
CREATE INDEX IF NOT EXISTS "sends_open_states_idx" ON "sends"("user_id", "created_at", "id")
    WHERE "state" IN ('reserved', 'sending', 'unknown', 'needs_review');
CREATE INDEX IF NOT EXISTS "sends_search_states_idx" ON "sends" USING GIN ("search_text" gin_trgm_ops) WITH (gin_pending_list_limit = 256)
    WHERE "state" IN ('reserved', 'sending', 'unknown', 'needs_review', 'refused');
DROP INDEX "sends_open_idx";
DROP INDEX "sends_search_idx";

CREATE OR REPLACE FUNCTION "describe_piece_for_webhook"("piece" TEXT, "moved" INTEGER) RETURNS JSON LANGUAGE sql STABLE AS $$
    SELECT json_build_object('id', s."id", 'type', s."mail_type", 'state',
        CASE s."state" WHEN 'reserved' THEN 'checking' WHEN 'sending' THEN 'checking' WHEN 'unknown' THEN 'checking'
            WHEN 'needs_review' THEN 'needs_decision' ELSE s."state" END, 'status', i."status",
        'provider_id', s."provider_id", 'user_id', s."user_id", 'credits', "moved", 'charged', CASE WHEN s."state" = 'cancelled' THEN 0 ELSE s."charged" END,
        'list_id', CASE WHEN s."credit_reservation_id" IS NOT NULL THEN split_part(s."idempotency_key", ':', 2) END)
    FROM "sends" s LEFT JOIN "mail_items" i ON i."id" = s."id" WHERE s."id" = "piece";
$$;
