-- The verified e-mail address of who started a list ('': none), which the allow-lists are compared with while it runs.
ALTER TABLE "bulk_lists" ADD COLUMN "starter_email" TEXT;
-- When the version in `tested_version` was tested. A test without a time is too old.
ALTER TABLE "bulk_lists" ADD COLUMN "tested_at" TIMESTAMPTZ(3);
-- When the list came from a backup, until its rows are compared with the provider's list.
ALTER TABLE "bulk_lists" ADD COLUMN "restored_at" TIMESTAMPTZ(3);
-- Who imported or changed a row last.
ALTER TABLE "bulk_rows" ADD COLUMN "changed_by" TEXT;
-- Who approved what a reservation is for. NULL: approval was not required.
ALTER TABLE "credit_reservations" ADD COLUMN "approved_by" TEXT;

-- A person's pause has no note. A pause with a note needs a person, so webhooks get `batch.paused`.
CREATE OR REPLACE FUNCTION "tell_webhooks_of_batch"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "event" TEXT := CASE NEW."state" WHEN 'paused' THEN 'batch.paused' ELSE 'batch.finished' END;
BEGIN
    IF "wants_webhook"("event") THEN
        PERFORM "queue_webhook"("event", NULL, (
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
CREATE TRIGGER "bulk_lists_paused_webhooks" AFTER UPDATE OF "state" ON "bulk_lists" FOR EACH ROW
    WHEN (NEW."state" = 'paused' AND OLD."state" = 'running' AND NEW."note" IS NOT NULL)
    EXECUTE FUNCTION "tell_webhooks_of_batch"();
