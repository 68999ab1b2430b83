-- What the provider says of the addresses of a list's rows, for lists that a person asked it for.
ALTER TABLE "bulk_lists" ADD COLUMN "checking_addresses" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "bulk_rows" ADD COLUMN "address_check" TEXT;
CREATE INDEX "bulk_rows_address_check_idx" ON "bulk_rows"("list_id", "state", "address_check") WHERE "address_check" IS NOT NULL;
