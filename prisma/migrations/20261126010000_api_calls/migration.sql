-- CreateTable: calls of /api by tokens and pages, kept for 30 days
CREATE TABLE "api_calls" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "request_id" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "about" TEXT,
    "user_id" TEXT,
    "token_id" TEXT,
    "status" INTEGER NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "reason" TEXT,

    CONSTRAINT "api_calls_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "api_calls_request_id_idx" ON "api_calls"("request_id");
CREATE INDEX "api_calls_token_id_id_idx" ON "api_calls"("token_id", "id");
CREATE INDEX "api_calls_failed_idx" ON "api_calls"("id") WHERE "status" >= 400;
