-- AlterTable: what the provider had said of the address before it was sent, and whether it was sent against that
ALTER TABLE "sends" ADD COLUMN "address_check" TEXT,
    ADD CONSTRAINT "sends_address_check_check" CHECK ("address_check" IN
        ('valid', 'corrected', 'corrected_overridden', 'not_found', 'not_found_overridden', 'unchecked'));
