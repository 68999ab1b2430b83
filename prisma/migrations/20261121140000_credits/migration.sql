-- CreateTable
CREATE TABLE "credit_accounts" (
    "user_id" TEXT NOT NULL,
    "balance" INTEGER NOT NULL DEFAULT 0,
    "held" INTEGER NOT NULL DEFAULT 0,
    "total_spent" INTEGER NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credit_accounts_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "credit_accounts_held_check" CHECK (0 <= "held" AND "held" <= "balance"),
    CONSTRAINT "credit_accounts_spent_check" CHECK ("total_spent" >= 0)
);

-- CreateTable
CREATE TABLE "sends" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "mail_type" TEXT NOT NULL,
    "cost" INTEGER NOT NULL,
    "charged" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "request_headers" TEXT NOT NULL,
    "request_body" TEXT NOT NULL,
    "provider_id" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 1,
    "answer_status" INTEGER,
    "answer_headers" TEXT,
    "answer_text" TEXT,
    "duration_ms" INTEGER,
    "note" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "sends_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "sends_cost_check" CHECK ("cost" > 0 AND 0 <= "charged" AND "charged" <= "cost"),
    CONSTRAINT "sends_state_check" CHECK ("state" IN ('held', 'unknown', 'needs_review', 'accepted', 'refused', 'cancelling', 'cancelled'))
);

-- CreateTable
CREATE TABLE "credit_transactions" (
    "id" BIGSERIAL NOT NULL,
    "user_id" TEXT NOT NULL,
    "transaction_type" TEXT NOT NULL,
    "amount" INTEGER NOT NULL,
    "balance_before" INTEGER NOT NULL,
    "balance_after" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "cause_key" TEXT NOT NULL,
    "mail_type" TEXT,
    "reference_response_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credit_transactions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "credit_transactions_type_check" CHECK ("transaction_type" IN ('debit', 'credit', 'purchase', 'refund', 'release')),
    CONSTRAINT "credit_transactions_cause_check" CHECK ("cause" IN ('send', 'refund', 'checkout', 'adjustment', 'review')),
    CONSTRAINT "credit_transactions_amount_check" CHECK (
        ("amount" > 0 OR ("transaction_type" = 'release' AND "amount" = 0)) AND "balance_after" >= 0 AND
        "balance_after" = "balance_before" + CASE WHEN "transaction_type" = 'debit' THEN -"amount" ELSE "amount" END
    )
);

-- CreateTable
CREATE TABLE "checkout_sessions" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "credits" INTEGER NOT NULL,
    "amount_cents" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "stripe_session_id" TEXT,
    "success_url" TEXT NOT NULL,
    "cancel_url" TEXT NOT NULL,
    "note" TEXT,
    "flag" TEXT,
    "looked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "checkout_sessions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "checkout_sessions_state_check" CHECK ("state" IN ('open', 'completed', 'expired', 'failed', 'mismatch')),
    CONSTRAINT "checkout_sessions_credits_check" CHECK ("credits" > 0 AND "amount_cents" > 0)
);

-- CreateTable
CREATE TABLE "kept_drafts" (
    "id" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "kept_drafts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex: one send per person and key, one ledger row per cause, one row per Stripe session
CREATE UNIQUE INDEX "sends_actor_id_idempotency_key_key" ON "sends"("actor_id", "idempotency_key");
CREATE UNIQUE INDEX "credit_transactions_cause_cause_key_key" ON "credit_transactions"("cause", "cause_key");
CREATE UNIQUE INDEX "checkout_sessions_stripe_session_id_key" ON "checkout_sessions"("stripe_session_id");

-- CreateIndex
CREATE INDEX "sends_state_lease_until_idx" ON "sends"("state", "lease_until");
CREATE INDEX "sends_user_id_created_at_idx" ON "sends"("user_id", "created_at");
CREATE INDEX "credit_transactions_user_id_id_idx" ON "credit_transactions"("user_id", "id");
CREATE INDEX "credit_transactions_created_at_idx" ON "credit_transactions"("created_at");
CREATE INDEX "checkout_sessions_state_created_at_idx" ON "checkout_sessions"("state", "created_at");
CREATE INDEX "checkout_sessions_actor_id_created_at_idx" ON "checkout_sessions"("actor_id", "created_at");
CREATE INDEX "kept_drafts_actor_id_created_at_idx" ON "kept_drafts"("actor_id", "created_at");

-- AddForeignKey
ALTER TABLE "credit_accounts" ADD CONSTRAINT "credit_accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "sends" ADD CONSTRAINT "sends_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The ledger only grows: the database itself refuses every other change.
CREATE FUNCTION "refuse_ledger_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'credit_transactions is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER "credit_transactions_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "credit_transactions"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
