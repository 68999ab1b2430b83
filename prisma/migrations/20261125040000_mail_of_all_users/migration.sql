-- The lists of all users, as those of one user have. On a large table, build them by hand with CONCURRENTLY first.
CREATE INDEX IF NOT EXISTS "mail_items_type_status_created_at_id_idx" ON "mail_items"("type", "status", "created_at", "id");
CREATE INDEX IF NOT EXISTS "mail_items_type_test_created_at_id_idx" ON "mail_items"("type", "test", "created_at", "id");
