-- Finds whether mail to an address came back without reading a piece.
CREATE INDEX "mail_items_returned_idx" ON "mail_items"("send_id") INCLUDE ("status_at") WHERE "status" = 'returned';
CREATE INDEX "sends_recipient_key_id_idx" ON "sends"("recipient_key", "id");
DROP INDEX "sends_recipient_key_idx";
