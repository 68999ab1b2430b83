-- Each ledger row carries a hash over its content and over the hash of the account's row before it, so that a row that
-- is changed, removed, added or moved later is found by reading.
ALTER TABLE "credit_transactions" ADD COLUMN "hash" TEXT;

CREATE FUNCTION "hash_ledger_row"("before" TEXT, "entry" "credit_transactions") RETURNS TEXT LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN encode(sha256(convert_to(json_build_array("before", "entry"."id", "entry"."user_id",
        "entry"."transaction_type", "entry"."amount", "entry"."balance_before", "entry"."balance_after",
        "entry"."description", "entry"."actor_id", "entry"."cause", "entry"."cause_key", "entry"."mail_type",
        "entry"."reference_response_id", round(extract(epoch FROM "entry"."created_at") * 1000)::bigint)::text,
        'UTF8')), 'hex');
END
$$;

-- The statement that books has locked the account, so no other row of it can come between.
CREATE FUNCTION "chain_ledger_row"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."hash" := "hash_ledger_row"((SELECT t."hash" FROM "credit_transactions" t
        WHERE t."user_id" = NEW."user_id" ORDER BY t."id" DESC LIMIT 1), NEW);
    RETURN NEW;
END
$$;

-- Rows that exist already are chained as they are.
ALTER TABLE "credit_transactions" DISABLE TRIGGER "credit_transactions_append_only";
DO $$
DECLARE
    "entry" "credit_transactions";
    "user" TEXT;
    "before" TEXT;
BEGIN
    FOR "entry" IN SELECT * FROM "credit_transactions" ORDER BY "user_id", "id" LOOP
        IF "user" IS DISTINCT FROM "entry"."user_id" THEN
            "user" := "entry"."user_id";
            "before" := NULL;
        END IF;
        "before" := "hash_ledger_row"("before", "entry");
        UPDATE "credit_transactions" SET "hash" = "before" WHERE "id" = "entry"."id";
    END LOOP;
END
$$;
ALTER TABLE "credit_transactions" ENABLE TRIGGER "credit_transactions_append_only";
ALTER TABLE "credit_transactions" ALTER COLUMN "hash" SET NOT NULL;

CREATE TRIGGER "credit_transactions_chain" BEFORE INSERT ON "credit_transactions"
    FOR EACH ROW EXECUTE FUNCTION "chain_ledger_row"();
