-- Findings of a row's piece: those that ruin it are a problem that a person may allow, the others a warning.
-- The new CHECK is not validated, so that adding it reads no rows.
ALTER TABLE "bulk_rows" ADD COLUMN "warning" TEXT, ADD COLUMN "allowed_codes" TEXT[] NOT NULL DEFAULT '{}';
ALTER TABLE "bulk_rows" DROP CONSTRAINT "bulk_rows_problem_code_check";
ALTER TABLE "bulk_rows" ADD CONSTRAINT "bulk_rows_problem_code_check"
    CHECK ("problem_code" IN ('duplicate', 'address_not_found', 'finding', 'returned')) NOT VALID;
