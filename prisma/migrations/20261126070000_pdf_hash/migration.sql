-- The SHA-256 of a PDF outlives its copy, because a proof of mailing names it.
ALTER TABLE "piece_pdfs" ADD COLUMN "sha256" TEXT;
