-- What the caller of a live send asked, until its response is stored
ALTER TABLE "sends" ADD COLUMN "unsaved_request" TEXT;

-- CreateTable: narrow, so that lists and counts read little
CREATE TABLE "responses" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "endpoint_category" TEXT NOT NULL,
    "endpoint_preset" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "status_code" INTEGER,
    "duration_ms" INTEGER,
    "tags" TEXT[] NOT NULL,
    "search_text" TEXT NOT NULL,
    "send_id" TEXT,
    "is_cancelled" BOOLEAN NOT NULL DEFAULT false,
    "cancelled_at" TIMESTAMPTZ(3),
    "cancellation_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),
    "deleted_by" TEXT,

    CONSTRAINT "responses_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "responses_kind_check" CHECK ("kind" IN ('auto', 'manual')),
    CONSTRAINT "responses_cancelled_check" CHECK ("is_cancelled" = ("cancelled_at" IS NOT NULL))
);

-- CreateTable: JSON texts, read one response at a time
CREATE TABLE "response_bodies" (
    "response_id" TEXT NOT NULL,
    "request_data" TEXT,
    "response_data" TEXT,
    "response_headers" TEXT NOT NULL,

    CONSTRAINT "response_bodies_pkey" PRIMARY KEY ("response_id")
);

-- CreateTable: how many responses are listed by status; 0 is without one. The sum over the shards counts.
CREATE TABLE "response_counters" (
    "status" INTEGER NOT NULL,
    "shard" INTEGER NOT NULL,
    "total" BIGINT NOT NULL,

    CONSTRAINT "response_counters_pkey" PRIMARY KEY ("status", "shard")
) WITH (fillfactor = 50);

-- CreateTable: the same by the hour in which they were stored
CREATE TABLE "response_hours" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "status" INTEGER NOT NULL,
    "shard" INTEGER NOT NULL,
    "total" BIGINT NOT NULL,

    CONSTRAINT "response_hours_pkey" PRIMARY KEY ("hour", "status", "shard")
);

-- CreateIndex: one response per send
CREATE UNIQUE INDEX "responses_send_id_key" ON "responses"("send_id");

-- CreateIndex: one per filter of the list, in the list's order
CREATE INDEX "responses_recent_idx" ON "responses"("created_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;
CREATE INDEX "responses_user_idx" ON "responses"("user_id", "created_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;
CREATE INDEX "responses_category_idx" ON "responses"("endpoint_category", "created_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;
CREATE INDEX "responses_user_category_idx" ON "responses"("user_id", "endpoint_category", "created_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;
CREATE INDEX "responses_status_idx" ON "responses"("status_code", "created_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;
CREATE INDEX "responses_status_class_idx" ON "responses"(("status_code" / 100), "created_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;
CREATE INDEX "responses_method_idx" ON "responses"("method", "created_at" DESC, "id" DESC) WHERE "deleted_at" IS NULL;
CREATE INDEX "responses_tags_idx" ON "responses" USING GIN ("tags") WHERE "deleted_at" IS NULL;

-- CreateIndex: any part of a word. A short list of pending entries, because each search reads all of it.
CREATE EXTENSION IF NOT EXISTS "pg_trgm";
CREATE INDEX "responses_search_idx" ON "responses" USING GIN ("search_text" gin_trgm_ops) WITH (gin_pending_list_limit = 256) WHERE "deleted_at" IS NULL;

-- CreateIndex: begun sends whose response is not stored yet
CREATE INDEX "sends_unsaved_idx" ON "sends"("settled_at") WHERE "unsaved_request" IS NOT NULL AND "attempts" > 0;

-- AddForeignKey
ALTER TABLE "responses" ADD CONSTRAINT "responses_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "responses" ADD CONSTRAINT "responses_send_id_fkey" FOREIGN KEY ("send_id") REFERENCES "sends"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "response_bodies" ADD CONSTRAINT "response_bodies_response_id_fkey" FOREIGN KEY ("response_id") REFERENCES "responses"("id") ON DELETE CASCADE ON UPDATE CASCADE;
