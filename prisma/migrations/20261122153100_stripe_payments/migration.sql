-- AlterTable: Stripe's id of the payment; null for purchases from before
ALTER TABLE "checkout_sessions" ADD COLUMN "stripe_payment_id" TEXT;
CREATE INDEX "checkout_sessions_stripe_payment_id_idx" ON "checkout_sessions"("stripe_payment_id");
CREATE INDEX "checkout_sessions_user_id_closed_at_idx" ON "checkout_sessions"("user_id", "closed_at");
