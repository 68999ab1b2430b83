-- What pieces, recipients and users are found by. Null until it is written, which for older rows is done in the background.
ALTER TABLE "sends" ADD COLUMN "search_text" TEXT;
ALTER TABLE "mail_items" ADD COLUMN "search_text" TEXT;
ALTER TABLE "mail_recipients" ADD COLUMN "search_text" TEXT;
ALTER TABLE "users" ADD COLUMN "search_text" TEXT;

-- CreateTable: the words of a response's request and answer, without its bodies
CREATE TABLE "response_words" (
    "response_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "words" TEXT,

    CONSTRAINT "response_words_pkey" PRIMARY KEY ("response_id")
);
INSERT INTO "response_words" ("response_id", "created_at")
SELECT "id", "created_at" FROM "responses" WHERE "deleted_at" IS NULL;
ALTER TABLE "response_words" ADD CONSTRAINT "response_words_response_id_fkey" FOREIGN KEY ("response_id") REFERENCES "responses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateIndex: any part of a word. Pieces that are mail items are found as such, so the others alone are indexed here.
CREATE INDEX "sends_search_idx" ON "sends" USING GIN ("search_text" gin_trgm_ops) WITH (gin_pending_list_limit = 256) WHERE "state" IN ('held', 'unknown', 'needs_review', 'refused');
CREATE INDEX "mail_items_search_idx" ON "mail_items" USING GIN ("search_text" gin_trgm_ops) WITH (gin_pending_list_limit = 256);
CREATE INDEX "mail_recipients_search_idx" ON "mail_recipients" USING GIN ("search_text" gin_trgm_ops) WITH (gin_pending_list_limit = 256);
CREATE INDEX "users_search_idx" ON "users" USING GIN ("search_text" gin_trgm_ops);

-- CreateIndex: whole words and their beginnings; a million responses have too many parts of words
CREATE INDEX "response_words_idx" ON "response_words" USING GIN (array_to_tsvector(string_to_array(btrim("words"), ' '))) WITH (gin_pending_list_limit = 256) WHERE "words" IS NOT NULL;
CREATE INDEX "response_words_recent_idx" ON "response_words"("created_at" DESC, "response_id" DESC) WHERE "words" IS NOT NULL;

-- CreateIndex: common words are found among the newest
CREATE INDEX "mail_items_recent_idx" ON "mail_items"("created_at" DESC, "id" DESC);
CREATE INDEX "mail_recipients_recent_idx" ON "mail_recipients"("created_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;

-- CreateIndex: rows whose text is not written yet
CREATE INDEX "sends_unsearchable_idx" ON "sends"("created_at" DESC) WHERE "search_text" IS NULL;
CREATE INDEX "mail_items_unsearchable_idx" ON "mail_items"("created_at" DESC) WHERE "search_text" IS NULL;
CREATE INDEX "mail_recipients_unsearchable_idx" ON "mail_recipients"("created_at" DESC) WHERE "search_text" IS NULL;
CREATE INDEX "users_unsearchable_idx" ON "users"("created_at" DESC) WHERE "search_text" IS NULL;
CREATE INDEX "response_words_unwritten_idx" ON "response_words"("created_at" DESC) WHERE "words" IS NULL;

-- CreateIndex: a pasted key leads to its piece
CREATE INDEX "sends_idempotency_key_idx" ON "sends"("idempotency_key");

-- CreateIndex: the reasons that people gave for adding and deducting credits
CREATE INDEX "credit_transactions_reason_idx" ON "credit_transactions" USING GIN (lower("description") gin_trgm_ops) WHERE "cause" = 'adjustment';
