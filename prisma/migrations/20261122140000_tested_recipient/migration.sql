-- What a test took from a saved recipient for its text. The tested piece is sent live with the same words, whatever the
-- provider knows of the recipient by then.
ALTER TABLE "tested_pieces" ADD COLUMN "recipient_details" TEXT;
