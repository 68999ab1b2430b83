CREATE TABLE "sign_ins" (
  "person_id" TEXT PRIMARY KEY,
  "display_name" TEXT NOT NULL,
  "email" TEXT,
  "groups" TEXT[] NOT NULL DEFAULT '{}',
  "signed_in_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);

-- Owners of tokens count as signed in now: before this version no one stored when they were.
INSERT INTO "sign_ins" ("person_id", "display_name", "email")
SELECT DISTINCT u.id, u.display_name, u.email FROM tokens t JOIN users u ON u.id = t.user_id;
