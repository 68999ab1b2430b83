-- AlterTable: what the provider's answer says of its price and of the country. Items from before are looked through in
-- the background: `answer_read` is false for them alone.
ALTER TABLE "mail_items" ADD COLUMN "provider_cost" DECIMAL(10,4),
    ADD COLUMN "country" TEXT,
    ADD COLUMN "answer_read" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "mail_items" ALTER COLUMN "answer_read" SET DEFAULT true;
CREATE INDEX "mail_items_unread_idx" ON "mail_items"("created_at") WHERE NOT "answer_read" AND NOT "test";

-- CreateIndex: totals over months and days are read from these alone
CREATE INDEX "mail_items_sent_idx" ON "mail_items"("created_at")
    INCLUDE ("user_id", "type", "status", "status_at", "is_cancelled", "provider_cost", "country") WHERE NOT "test";
CREATE INDEX "sends_spending_idx" ON "sends"("created_at") INCLUDE ("user_id", "mail_type", "state", "charged")
    WHERE "state" IN ('accepted', 'cancelling', 'cancelled');
