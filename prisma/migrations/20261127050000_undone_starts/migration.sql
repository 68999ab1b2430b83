-- A start that is undone restores the state before it, which only starts with an approval stored until now.
UPDATE "bulk_lists" SET "approval_from" = CASE WHEN "started_at" = "starts_at" THEN 'draft' ELSE 'stopped' END
WHERE "state" IN ('running', 'paused') AND "starts_at" > now();
-- Such a restore is no end, so webhooks do not receive it.
DROP TRIGGER "bulk_lists_webhooks" ON "bulk_lists";
CREATE TRIGGER "bulk_lists_webhooks" AFTER UPDATE OF "state" ON "bulk_lists" FOR EACH ROW
    WHEN (NEW."state" IN ('finished', 'stopped') AND OLD."state" IN ('running', 'paused') AND NEW."ended_at" IS DISTINCT FROM OLD."ended_at")
    EXECUTE FUNCTION "tell_webhooks_of_batch"();
