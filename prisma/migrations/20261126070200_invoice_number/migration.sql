-- The number of the invoice that Stripe made of a payment.
ALTER TABLE "checkout_sessions" ADD COLUMN "invoice_number" TEXT;
