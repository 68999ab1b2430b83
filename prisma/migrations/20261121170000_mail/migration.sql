-- AlterTable: whom a send names, and its cancelling
ALTER TABLE "sends" ADD COLUMN "recipient_id" TEXT,
    ADD COLUMN "recipient_name" TEXT,
    ADD COLUMN "recipient_email" TEXT,
    ADD COLUMN "recipient_key" TEXT,
    ADD COLUMN "cancel_actor_id" TEXT,
    ADD COLUMN "cancel_reason" TEXT,
    ADD COLUMN "cancel_attempts" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "cancel_asked_at" TIMESTAMPTZ(3),
    ADD COLUMN "cancel_note" TEXT,
    ADD COLUMN "cancelled_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "mail_items" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "send_id" TEXT,
    "type" TEXT NOT NULL,
    "preset" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "base_url" TEXT NOT NULL,
    "provider_id" TEXT,
    "addressee" TEXT,
    "status" TEXT NOT NULL,
    "status_rank" INTEGER NOT NULL,
    "status_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "test" BOOLEAN NOT NULL DEFAULT false,
    "is_cancelled" BOOLEAN NOT NULL DEFAULT false,
    "cancelled_at" TIMESTAMPTZ(3),
    "cancellation_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_items_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "mail_items_type_check" CHECK ("type" IN ('letter', 'postcard')),
    CONSTRAINT "mail_items_test_check" CHECK ("test" = ("send_id" IS NULL)),
    CONSTRAINT "mail_items_cancelled_check" CHECK ("is_cancelled" = ("cancelled_at" IS NOT NULL) AND NOT ("test" AND "is_cancelled"))
);

-- CreateTable
CREATE TABLE "mail_events" (
    "id" BIGSERIAL NOT NULL,
    "item_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "said_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_events_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "mail_events_source_check" CHECK ("source" IN ('send', 'webhook', 'refresh', 'cancel', 'reconcile'))
);

-- CreateTable
CREATE TABLE "mail_recipients" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "base_url" TEXT NOT NULL,
    "recipient_id" TEXT,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "is_verified" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_recipients_pkey" PRIMARY KEY ("id")
);

-- CreateIndex: one item per send, one row per event, one per recipient of the provider and user
CREATE UNIQUE INDEX "mail_items_send_id_key" ON "mail_items"("send_id");
CREATE UNIQUE INDEX "mail_events_item_id_status_source_key" ON "mail_events"("item_id", "status", "source");
CREATE UNIQUE INDEX "mail_recipients_user_id_base_url_recipient_id_key" ON "mail_recipients"("user_id", "base_url", "recipient_id");

-- CreateIndex: lists go on from the last row seen, by each of their filters
CREATE INDEX "mail_items_user_id_type_created_at_id_idx" ON "mail_items"("user_id", "type", "created_at", "id");
CREATE INDEX "mail_items_user_id_type_status_created_at_id_idx" ON "mail_items"("user_id", "type", "status", "created_at", "id");
CREATE INDEX "mail_recipients_user_id_created_at_id_idx" ON "mail_recipients"("user_id", "created_at", "id");
CREATE INDEX "mail_recipients_base_url_recipient_id_idx" ON "mail_recipients"("base_url", "recipient_id");

-- CreateIndex: the story of one send reads its own ledger rows, and what came in before its charge
CREATE INDEX "credit_transactions_reference_response_id_idx" ON "credit_transactions"("reference_response_id");
CREATE INDEX "credit_transactions_incoming_idx" ON "credit_transactions"("user_id", "id")
    WHERE "transaction_type" IN ('credit', 'purchase', 'refund');

-- CreateIndex: not unique, because a provider that names two pieces alike must not keep the second one from being booked
CREATE INDEX "mail_items_provider_id_base_url_idx" ON "mail_items"("provider_id", "base_url");

-- AddForeignKey
ALTER TABLE "mail_items" ADD CONSTRAINT "mail_items_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "mail_events" ADD CONSTRAINT "mail_events_item_id_fkey" FOREIGN KEY ("item_id") REFERENCES "mail_items"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "mail_recipients" ADD CONSTRAINT "mail_recipients_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Mail that was sent before there were items
INSERT INTO "mail_items" ("id", "user_id", "actor_id", "send_id", "type", "preset", "method", "path", "base_url",
    "provider_id", "status", "status_rank", "status_at", "is_cancelled", "cancelled_at", "created_at")
SELECT "id", "user_id", "actor_id", "id", "mail_type", replace("path", '/', '.'), "method", "path",
    regexp_replace(split_part("url", '?', 1), '/[^/]+/[^/]+$', ''), "provider_id",
    CASE "state" WHEN 'cancelled' THEN 'cancelled' ELSE 'received' END, CASE "state" WHEN 'cancelled' THEN 80 ELSE 10 END,
    coalesce("settled_at", "created_at"), "state" = 'cancelled',
    CASE "state" WHEN 'cancelled' THEN coalesce("settled_at", "created_at") END, "created_at"
FROM "sends" WHERE "state" IN ('accepted', 'cancelling', 'cancelled');
INSERT INTO "mail_events" ("item_id", "status", "source", "at")
SELECT "id", "status", 'send', "status_at" FROM "mail_items";
