-- CreateTable: credits set aside for the pieces of a list before they are sent. What remains is part of `credit_accounts.held`.
CREATE TABLE "credit_reservations" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "amount" INTEGER NOT NULL,
    "remaining" INTEGER NOT NULL,
    "purpose" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "credit_reservations_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "credit_reservations_remaining_check" CHECK (
        "amount" > 0 AND 0 <= "remaining" AND "remaining" <= "amount" AND ("closed_at" IS NULL OR "remaining" = 0)
    )
);
ALTER TABLE "credit_reservations" ADD CONSTRAINT "credit_reservations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "credit_reservations_user_id_idx" ON "credit_reservations"("user_id");

-- The reservation that the cost of a piece came from; null: from what was available.
ALTER TABLE "sends" ADD COLUMN "credit_reservation_id" TEXT;
CREATE INDEX "sends_reservation_idx" ON "sends"("credit_reservation_id") WHERE "credit_reservation_id" IS NOT NULL;

-- A reservation and its end stand in the ledger. They move no credits, so the sum stays the balance.
ALTER TABLE "credit_transactions" DROP CONSTRAINT "credit_transactions_type_check";
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_type_check" CHECK ("transaction_type" IN ('debit', 'credit', 'purchase', 'refund', 'release', 'reserve'));
ALTER TABLE "credit_transactions" DROP CONSTRAINT "credit_transactions_cause_check";
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_cause_check" CHECK ("cause" IN ('send', 'refund', 'checkout', 'adjustment', 'review', 'reservation', 'reservation_end'));
ALTER TABLE "credit_transactions" DROP CONSTRAINT "credit_transactions_amount_check";
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_amount_check" CHECK (
    ("amount" > 0 OR ("transaction_type" IN ('release', 'reserve') AND "amount" = 0)) AND "balance_after" >= 0 AND
    "balance_after" = "balance_before" + CASE WHEN "transaction_type" = 'debit' THEN -"amount" ELSE "amount" END
);
