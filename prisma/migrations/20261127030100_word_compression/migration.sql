DO $$ BEGIN
  ALTER TABLE "response_words" ALTER COLUMN "words" SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
