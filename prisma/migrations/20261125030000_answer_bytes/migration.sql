-- The body of an answer, where response_data does not say which bytes came.
ALTER TABLE "response_bodies" ADD COLUMN "response_bytes" BYTEA;
