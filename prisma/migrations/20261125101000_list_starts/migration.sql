-- A start can be undone until this time, and can be set for later.
ALTER TABLE "bulk_lists" ADD COLUMN "starts_at" TIMESTAMPTZ(3);
