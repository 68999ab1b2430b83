DO $$ BEGIN
  ALTER TABLE "sends"
    ALTER COLUMN "request_body" SET COMPRESSION lz4,
    ALTER COLUMN "answer_text" SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
