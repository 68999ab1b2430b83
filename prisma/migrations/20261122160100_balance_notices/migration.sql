-- CreateTable: who was told that a balance fell below a threshold. Told once; again only after credits were added.
CREATE TABLE "balance_notices" (
    "user_id" TEXT NOT NULL,
    "threshold" INTEGER NOT NULL,
    "balance" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3),

    CONSTRAINT "balance_notices_pkey" PRIMARY KEY ("user_id", "threshold"),
    CONSTRAINT "balance_notices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- The ledger has each change of a balance, so a notice is written with the row that it is about. A refund that lifts the
-- balance over a threshold and the next piece that takes it back do not tell it again: only credits that are added do.
-- A fall below several thresholds at once is told once, with the lowest.
CREATE FUNCTION "notice_low_balance"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "lowest" INTEGER;
    "known" BOOLEAN;
BEGIN
    IF NEW."balance_after" > NEW."balance_before" THEN
        IF NEW."transaction_type" <> 'refund' THEN
            DELETE FROM "balance_notices" n WHERE n."user_id" = NEW."user_id" AND NEW."balance_after" >= n."threshold";
        END IF;
        RETURN NULL;
    END IF;
    SELECT min(t) INTO "lowest" FROM unnest(ARRAY[50, 10]) AS t WHERE NEW."balance_before" >= t AND NEW."balance_after" < t;
    IF "lowest" IS NULL THEN RETURN NULL; END IF;
    SELECT EXISTS (SELECT 1 FROM "balance_notices" n WHERE n."user_id" = NEW."user_id" AND n."threshold" = "lowest") INTO "known";
    IF "known" THEN RETURN NULL; END IF;
    -- Thresholds above it count as told, and the screen shows the lowest.
    INSERT INTO "balance_notices" ("user_id", "threshold", "balance", "seen_at")
    SELECT NEW."user_id", t, NEW."balance_after", CASE WHEN t > "lowest" THEN clock_timestamp() END
    FROM unnest(ARRAY[50, 10]) AS t WHERE NEW."balance_after" < t
    ON CONFLICT ("user_id", "threshold") DO UPDATE SET "seen_at" = coalesce("balance_notices"."seen_at", EXCLUDED."seen_at");
    IF "wants_webhook"('balance.low') THEN
        PERFORM "queue_webhook"('balance.low', NULL, json_build_object('user_id', NEW."user_id", 'threshold', "lowest",
            'balance', NEW."balance_after"));
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER "credit_transactions_low_balance" AFTER INSERT ON "credit_transactions"
    FOR EACH ROW EXECUTE FUNCTION "notice_low_balance"();
