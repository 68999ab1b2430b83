-- CreateIndex: the credits that came to an account, from which it is told which purchase paid for a piece
CREATE INDEX "credit_transactions_came_idx" ON "credit_transactions"("user_id", "id")
    INCLUDE ("transaction_type", "amount", "created_at", "cause_key") WHERE "transaction_type" IN ('credit', 'purchase', 'refund');
