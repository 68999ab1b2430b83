-- CreateIndex: the history of one type. Most rows are debits, which are found among the newest.
CREATE INDEX "credit_transactions_type_idx" ON "credit_transactions"("transaction_type", "id") WHERE "transaction_type" <> 'debit';
