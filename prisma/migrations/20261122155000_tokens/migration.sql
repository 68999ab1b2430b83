-- CreateTable: personal access tokens, by the hash of their text
CREATE TABLE "tokens" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "ending" TEXT NOT NULL,
    "scopes" TEXT[] NOT NULL,
    "daily_credits" INTEGER,
    "verified_email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,

    CONSTRAINT "tokens_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "tokens_daily_credits_check" CHECK ("daily_credits" > 0),
    CONSTRAINT "tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "tokens_token_hash_key" ON "tokens"("token_hash");
CREATE INDEX "tokens_user_id_created_at_idx" ON "tokens"("user_id", "created_at");

-- Which token of its actor sent a piece, by name; null: the person themselves
ALTER TABLE "sends" ADD COLUMN "via" TEXT;
-- What a person has spent today
CREATE INDEX "sends_actor_id_created_at_idx" ON "sends"("actor_id", "created_at");
