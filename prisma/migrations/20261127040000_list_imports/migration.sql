-- The people of a list are as old as its last import, not as the list. Null: not imported since, so the list's age counts.
ALTER TABLE "bulk_lists" ADD COLUMN "imported_at" TIMESTAMPTZ(3);
