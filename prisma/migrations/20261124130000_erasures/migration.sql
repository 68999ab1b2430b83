-- Erasures, to be applied again after an older backup is restored: exact links and hashes, no personal data.
CREATE TABLE "erasures" (
    "id" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "links" TEXT NOT NULL,
    "erased" TEXT NOT NULL,
    "unconfirmed" TEXT NOT NULL,
    "applied_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "erasures_pkey" PRIMARY KEY ("id")
);

-- A copy of its PDF that arrives after the erasure is not stored.
ALTER TABLE "sends" ADD COLUMN "erased_at" TIMESTAMPTZ(3);

-- Address key, or account and ID, so that tests are found by more than a name.
ALTER TABLE "mail_items" ADD COLUMN "recipient_link" TEXT;
ALTER TABLE "tested_pieces" ADD COLUMN "recipient_link" TEXT;
