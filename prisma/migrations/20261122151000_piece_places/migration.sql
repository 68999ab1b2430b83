-- AlterTable: where a piece goes, as lists show it beside the name. Earlier pieces have none.
ALTER TABLE "sends" ADD COLUMN "recipient_place" TEXT;
ALTER TABLE "mail_items" ADD COLUMN "place" TEXT;

-- One list has live mail of both types, with or without tests
DROP INDEX "mail_items_user_id_type_created_at_id_idx";
CREATE INDEX "mail_items_user_id_type_test_created_at_id_idx" ON "mail_items"("user_id", "type", "test", "created_at", "id");

-- The few live pieces that are no mail items yet stand in the same list
CREATE INDEX "sends_open_idx" ON "sends"("user_id", "created_at", "id")
    WHERE "state" IN ('held', 'unknown', 'needs_review');
