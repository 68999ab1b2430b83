-- When the database took a revocation, by its own clock: each process reads what came since it last looked.
ALTER TABLE "revoked_sessions" ADD COLUMN "stored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
CREATE INDEX "revoked_sessions_stored_at_idx" ON "revoked_sessions"("stored_at");
