-- What is wrong with a row that a person may allow, as a code: so far the beginning of its sentence told.
ALTER TABLE "bulk_rows" ADD COLUMN "problem_code" TEXT;
UPDATE "bulk_rows" SET "problem_code" = 'duplicate' WHERE "problem" LIKE 'Duplicate: %';
UPDATE "bulk_rows" SET "problem_code" = 'address_not_found' WHERE "problem" = 'The provider does not find this address.';
ALTER TABLE "bulk_rows" ADD CONSTRAINT "bulk_rows_problem_code_check" CHECK ("problem_code" IN ('duplicate', 'address_not_found'));
